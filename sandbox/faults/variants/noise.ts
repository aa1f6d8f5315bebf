import type { Behaviour, Reply } from '../../behaviour.ts';
import { count, type Variant } from '../fault.ts';

/** What proxies, firewalls and restarts answer in the place of a provider, by the name of a variant. */
const accidents: Readonly<Record<string, Reply | 'reset'>> = {
  '408': { status: 408, headers: { Connection: 'close' } },
  '500': page(500, 'Internal Server Error'),
  '502': page(502, 'Bad Gateway'),
  '520': page(520, 'Web server is returning an unknown error'),
  maintenance: page(200, 'Down for maintenance'),
  reset: 'reset',
};

function page(status: number, title: string): Reply {
  return { status, body: `<h1>${title}</h1>`, headers: { 'Content-Type': 'text/html' } };
}

/** The accidents that a network can be told to have. */
export const kindsOfNoise: readonly string[] = Object.keys(accidents);

/**
 * Puts an accident in the place of some answers.
 * @param kind one of `kindsOfNoise`
 * @param strikes whether the request of this number, counted from one, meets with it
 */
export const noisy = (
  right: Behaviour,
  kind: string,
  strikes: (request: number) => boolean,
): Partial<Behaviour> => ({
  finish(reply, call, state) {
    const accident = accidents[kind];
    if (accident === undefined) throw new Error(`no kind of noise ${kind}`);
    if (!strikes(count(state, 'requests on a noisy way'))) return right.finish(reply, call, state);
    if (accident !== 'reset') return accident;
    reset(call.connection);
    return reply;
  },
});

/** In simulations a connection is no socket, and nothing is reset. */
function reset(connection: object): void {
  if ('destroy' in connection && typeof connection.destroy === 'function') connection.destroy();
}

/** One request in about a hundred meets with an accident. */
export const noiseVariants: readonly Variant[] = kindsOfNoise.map((kind) => ({
  name: `noise-${kind}`,
  means: `Every 97th request meets with an accident on the way: ${kind}`,
  make: (right) => noisy(right, kind, (request) => request % 97 === 0),
}));
