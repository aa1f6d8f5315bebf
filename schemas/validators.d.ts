import type { ValidateFunction } from 'ajv';

export declare const tokenRequest: ValidateFunction;
export declare const successEnvelope: ValidateFunction;
export declare const errorEnvelope: ValidateFunction;
