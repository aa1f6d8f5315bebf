// A minimal provider of the API, in place of your own program. The example is about its test clock.
import { randomBytes } from 'node:crypto';
import http from 'node:http';

const { PORT = '8080', API_KEY, SECRET_KEY } = process.env;
const lifetimeMs = 24 * 60 * 60 * 1000;
const tokens = new Map<string, number>();

/** The time at which tests stopped the clock (milliseconds since 1970). Never offer this in production. */
let stoppedAt: number | undefined;
const now = (): number => stoppedAt ?? Date.now();

type Answer = readonly [status: number, body: object];

const refused = (message: string): Answer => [401, { success: false, message }];

function tokenFor(body: string): Answer {
  const { apiKey, secretKey } = JSON.parse(body) ?? {};
  if (!API_KEY || apiKey !== API_KEY || secretKey !== SECRET_KEY)
    return refused('The credentials are wrong');
  const accessToken = randomBytes(32).toString('hex');
  tokens.set(accessToken, now());
  return [200, { success: true, message: 'Token generated', data: { accessToken } }];
}

function clock(method: string | undefined, body: string): Answer {
  if (method === 'PUT') stoppedAt = Date.parse(JSON.parse(body).now);
  if (method === 'DELETE') stoppedAt = undefined;
  return [200, { now: new Date(now()).toISOString() }];
}

function widgets(authorization = ''): Answer {
  const madeAt = tokens.get(authorization.replace(/^Bearer /, ''));
  const isGood = authorization.startsWith('Bearer ') && madeAt !== undefined;
  if (!isGood || now() >= madeAt + lifetimeMs) return refused('Invalid or expired access token.');
  return [200, { widgets: [{ id: 1, name: 'A widget' }] }];
}

function answerTo({ method, url, headers }: http.IncomingMessage, body: string): Answer {
  const route = `${method} ${url?.split('?')[0]}`;
  if (url === '/test/clock') return clock(method, body);
  if (route === 'POST /public-api/v1/auth/token') return tokenFor(body);
  if (route === 'GET /public-api/v1/widgets') return widgets(headers.authorization);
  return [404, { success: false, message: 'There is nothing here' }];
}

const server = http.createServer(async (request, response) => {
  let [status, body]: Answer = [400, { success: false, message: 'The request cannot be read' }];
  try {
    [status, body] = answerTo(request, (await request.toArray()).join(''));
  } catch {}
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(PORT), () => console.log(`listening on port ${PORT}`));
