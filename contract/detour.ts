import { prefix } from './service.ts';
import { Unreachable } from './unreachable.ts';

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
