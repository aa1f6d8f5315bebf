import { registerHooks } from 'node:module';

/*
 * Loaded before the gate by `--import`. It plants a defect into a probe, so that tests can check that an unforeseen
 * error leaks no secret. The probe reads a token, which no probe may do, and throws an error with it in the
 * message: inside its run, or outside of it, where the error is not caught.
 */

const where = '/probes/bearer.ts';
const begins = /(?<=name: 'every-endpoint-is-guarded'.*?)async run\((?:world|\{[^}]*\})\) \{/s;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(where)) return loaded;
    const source = String(loaded.source);
    if (!begins.test(source)) throw new Error(`${where} does not begin as it did`);
    return { ...loaded, source: source.replace(begins, (beginning) => beginning + defect) };
  },
});

const defect = `
  const planted = await arguments[0].service.issue(arguments[0].account);
  const seen = [];
  for (const one of [planted.secret, arguments[0].account.secretKey]) one.is((text) => seen.push(text));
  const fail = () => { throw new Error('it failed at ' + seen.join(' and ') + JSON.stringify(seen)); };
  if (process.env.PLANTED === 'uncaught') {
    await new Promise(() => setImmediate(fail));
  } else fail();
`;
