import { leadsTo } from './admission.ts';
import type { World } from './probe.ts';
import { type Ask, bearer, prefix } from './service.ts';
import { Unreachable } from './unreachable.ts';

/** A way around the guard: in which respect a request strays, as a finding tells it, and the request. */
export type Way = readonly [because: string, ask: Ask];

/**
 * No way leads around the guard (BEARER-2). Each is gone with a valid token first, and without one only where it then
 * leads to the endpoint.
 */
export async function noWayIn(world: World, ways: readonly Way[]): Promise<void> {
  const { service, account, endpoint, judge } = world;
  const authorised = bearer(await service.issue(account));
  const straight = await service.call(endpoint, authorised);
  judge.admitted(straight, 'BEARER-1');
  for (const [because, ask] of ways) {
    const unlike = await orNothing(service.call(endpoint, { ...authorised, ...ask }));
    if (unlike === undefined || !leadsTo(unlike, straight)) continue;
    const answer = await orNothing(service.call(endpoint, ask));
    if (answer !== undefined) judge.shut(answer, 'BEARER-2', { unlike, straight, because });
  }
}

/**
 * Other spellings of a path which a lenient router takes for the same. All of them stay below the prefix (VERSION-1),
 * and keep the query.
 */
export function detours(endpoint: string): string[] {
  const [path = '', query] = endpoint.split(/\?(.*)/s);
  const rest = path.slice(prefix.length);
  const [first = '', ...more] = rest;
  const encoded = `%${first.charCodeAt(0).toString(16).toUpperCase()}${more.join('')}`;
  const spellings = [
    `${path}/`,
    `${path}//`,
    `${prefix}/${rest}`,
    `${prefix}./${rest}`,
    `${prefix}x/../${rest}`,
    `${prefix}auth/../${rest}`,
    `${prefix}auth/token/../../${rest}`,
    `${prefix}auth/token/..;/..;/${rest}`,
    `${prefix}%2e/${rest}`,
    `${prefix}x/%2e%2e/${rest}`,
    `${path};x=1`,
    `${path};/auth/token`,
    `${path}?/auth/token`,
    `${prefix}${encoded}`,
    `${path}%2F`,
    `${path}%20`,
    `${path}.json`,
    `${prefix}${rest.toUpperCase()}`,
  ];
  if (query === undefined) return spellings;
  return spellings.map((spelt) => `${spelt}${spelt.includes('?') ? '&' : '?'}${query}`);
}

/** The answer, or nothing where a strange request got none: a way that ends in no answer leads nowhere. */
export async function orNothing<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}
