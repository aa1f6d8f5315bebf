import { judge, probesOf, test, titleOf } from '../../gate/probe-tests.ts';

for (const probe of probesOf('present')) test(titleOf(probe), ({ round }) => judge(probe, round));
