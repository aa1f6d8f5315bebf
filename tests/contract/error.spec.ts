import { holds } from './clause.ts';

holds('ERROR-1');
holds('ERROR-2');
holds('ERROR-3');
holds('ERROR-4');
