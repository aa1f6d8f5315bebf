import { holds } from './clause.ts';

holds('EXPIRY-1');
holds('EXPIRY-2');
holds('EXPIRY-3');
holds('EXPIRY-4');
holds('EXPIRY-5');
holds('EXPIRY-6');
holds('EXPIRY-7');
