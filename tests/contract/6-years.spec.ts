import { judge, probesOf, test, titleOf } from '../../gate/probe-tests.ts';

for (const probe of probesOf('years')) test(titleOf(probe), ({ round }) => judge(probe, round));
