import { jsonText } from '../../../contract/report/words.ts';
import type { PactReport } from './report.ts';

/** `pacts.json`, the report for programs. Its schema is `schemas/pact-report.json`. */
export function pactsJson({ startedAt, finishedAt, again: _, ...report }: PactReport): string {
  const document = {
    ...report,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    version: 1,
  };
  return jsonText(document);
}
