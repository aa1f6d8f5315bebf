import { holds } from './clause.ts';

holds('TOKEN-1');
holds('TOKEN-2');
holds('TOKEN-3');
holds('TOKEN-4');
