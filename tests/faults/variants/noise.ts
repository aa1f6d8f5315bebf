import { type Behaviour, type Reply, right } from '../../../sandbox/behaviour.ts';
import { count, type Faults, family, htmlPage } from '../fault.ts';

const page = (status: number, title: string): Reply => htmlPage(status, `<h1>${title}</h1>`);

/** The answers of proxies, firewalls and restarts instead of the provider's, by the name of a variant. */
const accidents: Readonly<Record<string, Reply | 'reset'>> = {
  '404': page(404, 'default backend - 404'),
  '408': { status: 408, headers: { Connection: 'close' } },
  '500': page(500, 'Internal Server Error'),
  '502': page(502, 'Bad Gateway'),
  '520': page(520, 'Web server is returning an unknown error'),
  maintenance: page(200, 'Down for maintenance'),
  reset: 'reset',
};

/** The accidents that a simulated network can have. */
export const kindsOfNoise: readonly string[] = Object.keys(accidents);

/**
 * Replaces some answers by an accident.
 * @param kind one of `kindsOfNoise`
 * @param strikes whether the request of this number, counted from one, has an accident
 */
export const noisy = (kind: string, strikes: (request: number) => boolean): Partial<Behaviour> => ({
  finish(reply, call, state) {
    const accident = accidents[kind];
    if (accident === undefined) throw new Error(`no kind of noise ${kind}`);
    if (!strikes(count(state, 'requests on a noisy way'))) return right.finish(reply, call, state);
    if (accident !== 'reset') return accident;
    // In simulations a connection is not a socket, and nothing is reset.
    call.connection.destroy?.();
    return reply;
  },
});

/** About one request in a hundred has an accident. */
export const noiseVariants: Faults = family('noise-*', accidents, (_accident, kind) =>
  noisy(kind, (request) => request % 97 === 0),
);
