import { isHeaderName } from '../../contract/http/http-request.ts';
import { endpointName } from '../../contract/http/request.ts';
import { field, isObject, parsedJson } from '../../contract/json-value.ts';
import { endpoint, endpoints as manyEndpoints } from '../../settings/endpoints.ts';
import { largest } from '../../settings/regular-file.ts';
import { type PayloadCheck, payloadCheck } from '../target/payload.ts';
import type { WatchedEndpoint } from '../target/watched-target.ts';
import type { Path } from './complaints.ts';
import { type ConfigContext, placeOf, read } from './config-context.ts';
import { fileText } from './file-text.ts';

export interface PlacedEndpoint {
  readonly at: Path;
  readonly endpoint: WatchedEndpoint;
}

export function endpointsOf(
  value: unknown,
  at: Path,
  around: ConfigContext,
): readonly PlacedEndpoint[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const placed = value.flatMap((one, index) => {
    const place = [...at, index];
    const found = typeof one === 'string' ? parsed(one, place, around) : whole(one, place, around);
    return found === undefined ? [] : [{ at: place, endpoint: found }];
  });
  const names = placed.map(({ endpoint }) => endpointName(endpoint));
  for (const [index, { at: place }] of placed.entries())
    if (names.indexOf(names[index] ?? '') < index)
      around.complaints.about(place, 'is the same as one above it');
  return placed;
}

/** Describes the form of one endpoint, in the words of the setting for several endpoints. */
const words = manyEndpoints.words.replace(/^comma-separated (.*?), at least.*? without/, '$1, not');

const parsed = (text: string, at: Path, around: ConfigContext): WatchedEndpoint | undefined =>
  read({ words, read: endpoint }, text.trim(), at, around);

function whole(value: unknown, at: Path, around: ConfigContext): WatchedEndpoint | undefined {
  const method = field(value, 'method');
  const path = field(value, 'path');
  const headers = headersOf(field(value, 'headers'), [...at, 'headers'], around);
  const unfit = payloadSchema(field(value, 'schema'), [...at, 'schema'], around);
  if (typeof method !== 'string' || typeof path !== 'string') return undefined;
  const query = queryOf(field(value, 'query'), [...at, 'query'], around);
  const target = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  const found = parsed(`${method} ${target}`, at, around);
  if (found === undefined) return undefined;
  const json = field(value, 'body');
  if (json !== undefined && !takesBody.has(found.method))
    around.complaints.about([...at, 'body'], `goes with ${[...takesBody].join(', ')} only`);
  if (found.method === 'HEAD' && unfit !== undefined)
    around.complaints.about([...at, 'schema'], 'checks a body, and the answer to HEAD has none');
  return { ...found, headers, body: json === undefined ? undefined : { json }, unfit };
}

const takesBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Percent-encoded; a list gives its name several times. */
function queryOf(value: unknown, at: Path, { complaints, writtenAt }: ConfigContext): string {
  const query = new URLSearchParams();
  for (const [name, values] of isObject(value) ? Object.entries(value) : [])
    for (const [index, one] of [values].flat().entries()) {
      const place = Array.isArray(values) ? [...at, name, index] : [...at, name];
      const written = writtenAt(place);
      // 1.10 would be sent as 1.1, and 1234567890123456789 as 1234567890123456800.
      if (typeof one !== 'string' && written !== undefined && written !== String(one))
        complaints.about(place, 'would not be sent as it is written: put it in quotes');
      query.append(name, String(one));
    }
  return query.toString();
}

/** Headers that the probes set themselves, that frame the request, or that hold a credential. */
const taken =
  /^(authorization|cookie|host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;

function headersOf(
  value: unknown,
  at: Path,
  { complaints }: ConfigContext,
): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const headers = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, text] of Object.entries(value)) {
    const place = [...at, name];
    const wrong = isHeaderName(name)
      ? taken.test(name)
        ? 'is set by the probes themselves: take it out'
        : seen.has(name.toLowerCase())
          ? 'is there twice, in another case'
          : undefined
      : 'is not a header name';
    if (wrong !== undefined) complaints.about(place, wrong, { is: 'name' });
    else if (typeof text === 'string') headers.set(name, text);
    seen.add(name.toLowerCase());
  }
  return Object.fromEntries(headers);
}

/** The schema of an endpoint's payload, written inline or as the name of a JSON file. */
function payloadSchema(value: unknown, at: Path, around: ConfigContext): PayloadCheck | undefined {
  const { complaints } = around;
  if (value === undefined) return undefined;
  try {
    const schema = typeof value === 'string' ? inFile(placeOf(value, around)) : value;
    if (isObject(schema) || typeof schema === 'boolean') return payloadCheck(schema);
    complaints.about(at, 'names a file whose JSON is neither an object nor true or false');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    complaints.about(at, `gives no JSON Schema: ${why.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  }
  return undefined;
}

/** @throws Error with a message of one line */
function inFile(file: string): unknown {
  const value = parsedJson(textOf(file));
  if (value === undefined) throw new Error('the file does not contain JSON');
  return value;
}

function textOf(file: string): string {
  try {
    return fileText(file, largest.payloadSchema);
  } catch (error) {
    throw new Error(`the file ${error instanceof Error ? error.message : error}`);
  }
}
