import { formatTitle, judge, selectProbes, test } from '../../gate/probe-tests.ts';

for (const probe of selectProbes('disturbing'))
  test(formatTitle(probe), ({ round }) => judge(probe, round));
