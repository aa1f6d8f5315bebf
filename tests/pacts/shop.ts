import { type Behaviour, type Call, type Reply, right } from '../../sandbox/behaviour.ts';
import { problem, type Routes, routes, stock } from './shop-routes.ts';
import type { StateChange } from './team-handler.ts';

/*
 * The provider of the bank: the sandbox, with a shop behind its tokens. It answers 400 to a request that is not as
 * its consumer intended. So a pact holds only if its request arrives unchanged.
 */

/** The data that its team's state handler changes. */
export class Shop {
  readonly #widgets = new Map<string, object>();
  #isEmpty = false;
  #isClosed = false;
  #made = 4710;

  readonly behaviour: Behaviour = {
    ...right,
    route: (call) => {
      const path = call.path.replace(/^\/public-api\/v1/, '');
      const [, folder = '', name = ''] = /^(\/\w+\/)(.+)$/.exec(path) ?? [];
      const answer =
        this.#routes[`${call.method} ${path}`] ?? this.#routes[`${call.method} ${folder}*`];
      if (answer === undefined) return undefined;
      return { method: call.method, path, reply: answer(call, name) };
    },
  };

  /** The team's state handler. */
  change({ state, params, action }: StateChange): { status?: number; body?: unknown } {
    const isSetUp = action === 'setup';
    if (state === 'there are no widgets') this.#isEmpty = isSetUp;
    else if (state === 'the shop is closed') this.#isClosed = isSetUp;
    else if (state === 'a widget of a colour') return { body: this.#widget(params, isSetUp) };
    else if (state === 'a customer')
      return { body: { customer: 'c-17', mail: 'eve@example.com', limit: 250, isNew: true } };
    else return { status: 404, body: { error: 'unknown state' } };
    return {};
  }

  #widget(params: object, isSetUp: boolean): object {
    if (!isSetUp) this.#widgets.clear();
    const id = String(++this.#made);
    if (isSetUp) this.#widgets.set(id, { id: Number(id), ...params });
    return { id: Number(id), link: `/public-api/v1/widgets/${id}` };
  }

  /** Requests without a state of the shop do not depend on it. */
  #list = ({ query }: Call): Reply => {
    if (this.#isClosed) return { status: 503, headers: { 'Retry-After': '120' }, json: problem };
    const colour = query.get('colour');
    const widgets = this.#isEmpty
      ? []
      : stock.filter((one) => (colour ?? one.colour) === one.colour);
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'X-Total-Count': '2',
        Vary: 'Accept, Origin',
      },
      json: { widgets, page: Number(query.get('page') ?? 1), total: widgets.length },
    };
  };

  #one = (_call: Call, id: string): Reply => {
    const found = this.#widgets.get(id) ?? stock.find((one) => String(one.id) === id);
    return found === undefined ? { status: 404, json: problem } : { status: 200, json: found };
  };

  readonly #routes: Routes = {
    'GET /widgets': this.#list,
    'HEAD /widgets': () => ({ status: 200, headers: { 'X-Total-Count': '2' } }),
    'OPTIONS /widgets': () => ({ status: 204, headers: { Allow: 'GET, HEAD, POST' } }),
    'GET /widgets/*': this.#one,
    ...routes,
  };
}
