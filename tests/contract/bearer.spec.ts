import { holds } from './clause.ts';

holds('BEARER-1');
holds('BEARER-2');
holds('BEARER-3');
holds('BEARER-4');
holds('BEARER-5');
holds('BEARER-6');
