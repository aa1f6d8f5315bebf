import { type Context, type PactReport, pactReportOf } from '../../pacts/verify/report/report.ts';
import type { Verification } from '../../pacts/verify/verification.ts';

/** A report on a verification that took 1.234 s. */
export const reported = (run: Verification, context: Partial<Context> = {}): PactReport =>
  pactReportOf(run, {
    startedAt: new Date(0),
    finishedAt: new Date(1234),
    again: 'npm run pact:verify --',
    notes: [],
    unpublished: false,
    exit: run.exit,
    ...context,
  });
