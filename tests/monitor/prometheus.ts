import { type Daemon, startDaemon } from '../operations/daemon.ts';

/** A sample that Prometheus has stored. */
interface Stored {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

/** A real Prometheus on a free port, with temporary storage. */
export interface Prometheus extends Daemon {
  /** The current value of an expression. */
  query(expression: string): Promise<readonly Stored[]>;
}

/** @param config its YAML file @param flags in addition to those that every Prometheus of a test has */
export async function startPrometheus(config: string, ...flags: string[]): Promise<Prometheus> {
  const daemon = await startDaemon({
    program: 'prometheus',
    files: { 'prometheus.yml': config },
    args: (at, folder) => [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${at}`,
      `--web.external-url=http://${at}`,
      ...flags,
    ],
    readyWith: 'Server is ready',
  });
  return {
    ...daemon,
    async query(expression) {
      const response = await fetch(new URL('/api/v1/query', daemon.address), {
        method: 'POST',
        body: new URLSearchParams({ query: expression }),
      });
      const answer: { data?: { result: Stored[] }; error?: string } = JSON.parse(
        await response.text(),
      );
      if (answer.data === undefined) throw new Error(answer.error);
      return answer.data.result;
    },
  };
}
