import { styleOf } from '../../contract/report/style.ts';
import { page } from '../../monitor/web/page.ts';
import { probes } from '../../probes/index.ts';
import { watching } from '../../tests/monitor/in-memory.ts';
import { inMemory } from '../../tests/monitor/service-in-memory.ts';
import { simulatedTime } from '../../tests/monitor/simulated-time.ts';

const day = 86_400_000;

/** The monitor's page about a provider that has accepted expired tokens for five days of simulated time. */
export async function monitorPage(): Promise<string> {
  const time = simulatedTime();
  const provider = inMemory(time);
  provider.lifetime = day + 60_000;
  const target = { ...provider.target, name: 'production' };
  const watch = watching(probes, { time, provider, targets: [target] });
  await time.pass(5 * day);
  const own = {
    targetsInFile: 1,
    reload: { isSuccessful: true, at: 0 },
    state: { isWritable: true, failures: 0 },
  };
  const style = styleOf(new URL('../../monitor/web/style.css', import.meta.url));
  return String(page({ ...watch.view(), version: '', own }))
    .replaceAll('http://in-memory', 'https://api.example.com')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`);
}
