import { type Answer, isObject, jsonOf } from './answer.ts';
import type { MustId } from './clauses.ts';
import type { World } from './probe.ts';
import { tokenOf } from './schema.ts';
import { Secret } from './secret.ts';
import { bearer } from './service.ts';

/**
 * No token stands anywhere in an answer to credentials that are not valid: neither where the success envelope has it,
 * nor in another field, a cookie or another header. A text is a token when the service takes it for one, so every
 * text that could be one is tried; an identifier of the request or of an error accuses nobody.
 */
export async function grantsNothing(
  world: World,
  answer: Answer,
  clause: MustId,
  because: string,
): Promise<void> {
  const { service, endpoint, judge } = world;
  for (const secret of candidates(answer)) {
    const tried = await service.call(endpoint, bearer({ secret, madeAt: world.clock.now() }));
    if (tried.status === 401) continue;
    const nothing = await service.call(endpoint);
    if (nothing.status === tried.status)
      return judge.unproven(`without a token the endpoint answers ${tried.status} too`);
    return judge.broken(clause, answer, {
      because,
      expected: 'an answer without a token',
      received: `${answer.status} with a token`,
    });
  }
}

/** The texts of an answer that could be tokens: never more than eight, the likeliest first. */
function candidates(answer: Answer): Secret[] {
  const json = jsonOf(answer);
  const inBody = json.is === 'json' ? texts(json.value) : [answer.body.toString('latin1').trim()];
  const inHeaders = answer.headers
    .filter(
      ([name]) =>
        /^(set-cookie|location|authorization)$|token|auth/i.test(name) &&
        !/^www-authenticate$/i.test(name),
    )
    .flatMap(([, value]) => value.split(/[\s;,=?&#]+/));
  const own = tokenOf(answer);
  const found = [...new Set([...inBody, ...inHeaders])].filter((text) =>
    /^(?=.*\d)[\x21-\x7e]{16,8192}$/.test(text),
  );
  return [...(own === undefined ? [] : [own]), ...found.map((text) => new Secret(text))].slice(
    0,
    8,
  );
}

/** All strings of a JSON value, at any depth. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  return isObject(value) ? Object.values(value).flatMap(texts) : [];
}
