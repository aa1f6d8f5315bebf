import { bundle, dereference } from '@apidevtools/json-schema-ref-parser';
import { upgrade } from '@scalar/openapi-upgrader';
import { apiPrefix } from '../../contract/http/request.ts';
import { at, isObject } from '../../contract/json-value.ts';
import { isTokenEndpoint, mayChange } from '../endpoints.ts';
import { SettingsError } from '../fields.ts';

/** An object of an OpenAPI document. The document is not validated, so each field is unknown. */
export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields => (isObject(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export type OpenApiDocument = Awaited<ReturnType<typeof readDocument>>;

export type Operation = OpenApiDocument['operations'][number];

/** Reads an OpenAPI document (YAML or JSON), with the local files that it refers to. @throws SettingsError of one line */
export async function readDocument(file: string, writes = false) {
  const { root, names } = await resolveFile(file);
  const { url: address = '/', variables } = asFields(asList(root.servers)[0]);
  const text = String(address).replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    String(at(variables, name, 'default')),
  );
  const { origin, pathname } = URL.parse(text, nowhere) ?? new URL(nowhere);
  const base = pathname.replace(/(^|\/)public-api\/v1(\/.*)?$|\/$/, '');
  const version = pathname.slice(base.length).replace(/\/$/, '');
  const operations = Object.entries(asFields(root.paths)).flatMap(([path, item]) =>
    listOperations(version + path, asFields(item), root.security, writes),
  );
  /** That of the first server, without `/public-api/v1`; undefined if it is relative. */
  const url = origin === nowhere ? undefined : origin + base;
  return { file, url, operations, names };
}

/** The document with what it refers to in the places of the references, and the names of all that is referred to. */
async function resolveFile(file: string) {
  const names = new Map<unknown, string>();
  const onDereference = (reference: string, value: unknown) =>
    names.set(value, reference.replace(/^#\/(components\/schemas\/)?/, '').replaceAll(/\W/g, '_'));
  const local = { resolve: { http: false } } as const;
  try {
    const content: object = await bundle(file, local);
    if (!/^3\./.test(String(asFields(content).openapi)))
      throw new Error('it does not begin with openapi: 3.0 or 3.1');
    // The schemas of version 3.1 are JSON Schemas.
    const current = upgrade({ ...content }, '3.1');
    const root = await dereference(current, { ...local, dereference: { onDereference } });
    return { root: asFields(root), names };
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : '').split('\n');
    throw new SettingsError(`${file} is not an OpenAPI document that can be read: ${why}`);
  }
}

const nowhere = 'http://relative.invalid';

/** @param path below the base address: `/public-api/v1/widgets/{id}` */
function listOperations(path: string, item: Fields, security: unknown, writes: boolean) {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => {
    const fields = item[method.toLowerCase()];
    if (!isObject(fields)) return [];
    // A parameter of the operation is behind that of its path, which it replaces.
    const parameters = [item, fields].flatMap((part) => asList(part.parameters)).map(asFields);
    const body = asFields(fields.requestBody);
    const isOther = body.required === true && findJsonPart(body) === undefined;
    const reason =
      reasonAgainst(path, asList(fields.security ?? security)) ??
      (isOther ? 'with a body that is not JSON' : undefined) ??
      (writes || !mayChange({ method }) ? undefined : 'that may change something (see --writes)');
    return [{ method, path, reason, parameters, body, responses: fields.responses }];
  });
}

/** The part of a message that is JSON; generators write the type as any, too. */
export const findJsonPart = (message: unknown): unknown =>
  Object.entries(asFields(at(message, 'content'))).find(([type]) =>
    /[/+]json *(;|$)|^\*\/\*/i.test(type),
  )?.[1];

/** Why an operation is not a protected endpoint; undefined if it is one. */
function reasonAgainst(path: string, security: readonly unknown[]): string | undefined {
  if (!path.startsWith(apiPrefix) || path === apiPrefix) return `outside ${apiPrefix}`;
  if (isTokenEndpoint(path)) return 'token endpoint';
  // An empty requirement among others makes them optional.
  const isOptional = security.some((one) => Object.keys(asFields(one)).length === 0);
  return security.length === 0 || isOptional
    ? 'without a requirement such as security: [{ bearerAuth: [] }]'
    : undefined;
}
