import type { MustId } from '../../contract/clauses.ts';
import { prepareRequest } from '../../contract/http/http-request.ts';
import { type CallOptions, createCall, type Endpoint } from '../../contract/http/request.ts';
import { probes } from '../../probes/index.ts';
import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { sandboxEndpoints } from '../../sandbox/provider.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { callOf, sandboxInMemory } from './in-memory.ts';

/*
 * Some probes send lists of deviating requests. For each row of a list there is a sandbox that is wrong for this row
 * alone: for each request that has all that a request with this row has, and a plain one has not. The probe must report
 * the clause of the list, and name the row.
 */

/** A deviating request. */
export interface Row {
  /** As a finding names it. */
  readonly name: string;
  readonly options: CallOptions;
  /** By default the endpoint of the probe. */
  readonly to?: Endpoint;
  /** The text of all tokens. */
  readonly token: string;
}

/** The decisions of the sandbox that are wrong for requests with a row. */
type WrongFor = (hasRow: (call: Call) => boolean) => Partial<Behaviour>;

/** The rows that a probe sends, and the clause that is violated if one of them gets through. */
export type RowList = readonly [
  probe: string,
  clause: MustId,
  wrongFor: WrongFor,
  rows: readonly Row[],
];

export const [widgets = { method: '', path: '' }] = sandboxEndpoints;

/** What a request has: a text for each part, and for some usual headers that it lacks. */
function traits({ method, url, httpVersion, headers, body }: Call): Set<string> {
  const [path, ...parameters] = url.split(/[?&]/);
  return new Set([
    `method ${method}`,
    `path ${path}`,
    `HTTP ${httpVersion}`,
    ...parameters.map((parameter) => `parameter ${parameter}`),
    ...Object.entries(headers).flatMap(([name, value]) =>
      String(value)
        .split(name === 'cookie' ? '; ' : '\0')
        .map((text) => `${name}: ${text}`),
    ),
    ...['accept', 'host', 'user-agent'].filter((name) => !(name in headers)),
    ...fieldsOf(body),
  ]);
}

/** The members of JSON by their path, or the fields of a form. */
function fieldsOf(body: string): readonly string[] {
  if (body === '') return [];
  try {
    return leavesOf(JSON.parse(body));
  } catch {
    return body.split(/&|--public-api-contract-part\S*\r\n/);
  }
}

const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) =>
        leavesOf(inner).map((leaf) => `${name}.${leaf}`),
      )
    : [JSON.stringify(value)];

const received = (to: Endpoint, options: CallOptions): Call =>
  callOf(prepareRequest(new URL('http://sandbox'), createCall(to, options)).request, 0);

/** The sandbox that is wrong for one row, and routes its requests to the endpoint. */
function behaviourFor({ to = widgets, options, token }: Row, wrongFor: WrongFor): Behaviour {
  const whole = received(to, options);
  const plain = traits(received(to, {}));
  // The body may share a request with those of other rows, and so have another length. Each request has its own trace.
  const own = [...traits(whole)].filter(
    (trait) => !plain.has(trait) && !/^(content-length|traceparent)/.test(trait),
  );
  // A pair of credentials is the whole body.
  const isWhole = (call: Call): boolean => to === widgets || call.body === whole.body;
  const hasRow = (call: Call): boolean => {
    const all = traits(call);
    return isWhole(call) && own.every((trait) => all.has(trait));
  };
  const meant = (call: Call): Call => ({
    ...call,
    method: own.includes(`method ${call.method}`) ? to.method : call.method,
    path: own.includes(`path ${call.path}`) ? to.path : call.path,
  });
  return {
    ...right,
    mint: () => token,
    route: (call, state) =>
      right.route(call, state) ?? (hasRow(call) ? right.route(meant(call), state) : undefined),
    ...wrongFor(hasRow),
  };
}

/** Judges the sandbox that is wrong for a row by the probe alone. @returns what is wrong with the result: a line, or none */
export async function complaintAbout(row: Row, list: RowList): Promise<string[]> {
  const [probe, clause, wrongFor] = list;
  const target = sandboxInMemory(behaviourFor(row, wrongFor));
  const due = probes.filter(({ name }) => name === probe);
  const { results, unjudged } = await judgeProvider(target, due);
  const findings = results.flatMap((result) => result.findings);
  const reasons = findings.map(({ when }) => when);
  // A group of rows is joined by "and", and a list of places is cut after the first.
  const isNamed = reasons.some((reason) =>
    [`${row.name}, `, `${row.name} and `].some((text) => `${reason}, `.includes(text)),
  );
  const clauses = new Set<string>(findings.map((finding) => finding.clause));
  if (isNamed && [...clauses].join() === clause && unjudged === undefined) return [];
  const details = results.flatMap(({ detail = [] }) => detail);
  return [[row.name, ...clauses, ...reasons, ...details, unjudged ?? ''].join('; ')];
}
