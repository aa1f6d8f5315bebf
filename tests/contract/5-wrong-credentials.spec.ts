import { formatTitle, judge, selectProbes, test } from '../../gate/probe-tests.ts';

for (const probe of selectProbes('wrong-credentials'))
  test(formatTitle(probe), ({ round }) => judge(probe, round));
