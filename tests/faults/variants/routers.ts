import { type Behaviour, type Call, type Reply, right } from '../../../sandbox/behaviour.ts';
import { fault, htmlPage, type Variant } from '../fault.ts';

/** An unknown route gets a status other than 404; undefined leaves the answer unchanged. */
const unrouted = (answer: (call: Call) => Reply | undefined): Pick<Behaviour, 'finish'> => ({
  finish: (reply, call, state) =>
    right.route(call, state) === undefined && reply.status === 404
      ? (answer(call) ?? reply)
      : reply,
});

const page = '<!doctype html><title>Welcome</title>';

/** Routers, proxies and firewalls that treat unusual requests in different ways. */
export const routerVariants: readonly Variant[] = [
  fault('welcome-page', 'Every unknown path gets a page', () =>
    unrouted(() => htmlPage(200, page)),
  ),
  fault(
    'welcome-in-the-form-of-an-endpoint',
    'Every unknown path gets a body with the members of an endpoint',
    () => unrouted(({ url }) => ({ status: 200, json: { widgets: [url] } })),
  ),
  fault(
    'head-answered-by-the-balancer',
    'HEAD is answered in front of the service, for every path',
    () => ({
      finish: (reply, { method }) =>
        method === 'HEAD'
          ? { status: 200, headers: { 'Content-Type': 'application/json' } }
          : reply,
    }),
  ),
  fault('trace-echoed', 'TRACE is answered with the request', () => ({
    finish: (reply, { method, url }) =>
      method === 'TRACE'
        ? {
            status: 200,
            headers: { 'Content-Type': 'message/http' },
            body: `TRACE ${url} HTTP/1.1`,
          }
        : reply,
  })),
  fault('methods-not-allowed', 'Other methods are answered with 405 and what is allowed', () =>
    unrouted(({ path }) =>
      /\/(widgets|reports)$/.test(path)
        ? { status: 405, headers: { Allow: path.endsWith('widgets') ? 'GET' : 'POST' } }
        : undefined,
    ),
  ),
  fault('odd-methods-get-no-answer', 'The connection is closed on rare methods', () => ({
    arrived({ method, connection }) {
      if (!/^(GET|POST|HEAD|PUT|DELETE)$/.test(method)) connection.destroy?.();
      return 0;
    },
  })),
  fault('redirects-to-the-canonical-path', 'Other spellings of a path are redirected', () =>
    unrouted(({ path }) => {
      const authorised = path
        .toLowerCase()
        .replace(/\/\/+/g, '/')
        .replace(/[/.]$|;.*|\.\w+$/g, '');
      return authorised === path ? undefined : { status: 308, headers: { Location: authorised } };
    }),
  ),
  fault(
    'firewall',
    'Addresses and headers that look like an attack are answered with a page and 403',
    () => ({
      finish(reply, call, state) {
        const { url, headers } = call;
        const attack =
          /%(00|25|2e|5c|c0)|\.\.|[\\;~]|\.(bak|php|env)$/i.test(url) ||
          headers['x-original-url'] !== undefined ||
          /bot\//.test(headers['user-agent'] ?? '') ||
          /\b(127\.0\.0\.1|localhost)\b/.test(String(headers['x-forwarded-for']));
        return attack ? htmlPage(403, page) : right.finish(reply, call, state);
      },
    }),
  ),
  fault(
    'many-headers-refused',
    'A request of more than forty headers is answered with 431',
    () => ({
      finish: (reply, { headers }) =>
        Object.keys(headers).length > 40 ? { status: 431, body: 'Too many headers' } : reply,
    }),
  ),
  fault(
    'preflight-by-override',
    'A method that is overridden counts for router and guard, and OPTIONS needs no token',
    () => {
      const meant = (call: Call): Call => {
        const override =
          call.headers['x-http-method-override'] ??
          call.query.get('_method') ??
          /^_method=([A-Z]+)$/.exec(call.body)?.[1];
        return typeof override === 'string' ? { ...call, method: override } : call;
      };
      return {
        route: (call, state) =>
          meant(call).method === 'OPTIONS'
            ? { method: 'OPTIONS', path: call.path, reply: { status: 204 } }
            : right.route(meant(call), state),
        guard: (call, state, self) =>
          meant(call).method === 'OPTIONS' ? undefined : right.guard(call, state, self),
      };
    },
  ),
];
