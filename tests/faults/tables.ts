/** The files with faults. Each exports tables under names that end in `Faults` or `Variants`. */
export * from '../../sandbox/demo-faults.ts';
export * from './guard.ts';
export * from './lifetime.ts';
export * from './movement.ts';
export * from './refusals.ts';
export * from './token.ts';
export * from './token-forms.ts';
export * from './transport.ts';
export * from './two-servers.ts';
