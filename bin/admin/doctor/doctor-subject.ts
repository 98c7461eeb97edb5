import * as z from 'zod';
import { ComponentId, SourceId, UserId } from '../../../shared/domain/id.ts';
import { MIRROR, TICKER } from './doctor-component.ts';
import type { Operator } from '../operator.ts';
import { createUser, deleteUser } from '../commands/user-commands.ts';

export interface SubjectOptions {
  stackName: string;
  /** The output `ApiUrl`. */
  api: string;
  /** The output `DeliveryAddresses`. */
  deliveryAddresses: readonly string[];
  operator: Operator;
  /** Waits this long. */
  sleep(ms: number): Promise<void>;
}

interface ApiResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

interface Deployed {
  user: DoctorUser;
  id: SourceId;
  componentId: ComponentId;
  /** URL of its endpoint, empty without one. */
  endpoint: string;
}

const Created = z.object({ id: UserId, api_key: z.string() });
const SourceResponse = z.object({
  data: z.object({
    id: SourceId,
    component_id: ComponentId,
    configured_props: z.object({ http: z.object({ endpoint_url: z.string() }).optional() }),
  }),
});
const Summaries = z.object({ data: z.array(z.object({ event: z.unknown() })) });

const REQUEST_MS = 30_000;
const POLL_MS = 1_000;

/** A user of the doctor, over the public API. */
export class DoctorUser {
  readonly id: UserId;
  readonly #api: string;
  readonly #key: string;

  constructor(api: string, { id, api_key: key }: z.output<typeof Created>) {
    this.id = id;
    this.#api = api;
    this.#key = key;
  }

  async call(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const response = await fetch(`${this.#api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  /** The body of a response; throws its error. */
  async expect(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, body: found } = await this.call(method, path, body);
    if (status < 300) return found;
    const { data } = z.object({ error: z.string() }).safeParse(found);
    throw new Error(`${method} ${path.split('?')[0]} answered ${status}: ${data?.error ?? 'no reason'}`);
  }

  /** The last events of a source, oldest first. */
  async events(id: SourceId): Promise<unknown[]> {
    const path = `/sources/${id}/event_summaries?limit=100&expand=event`;
    const { data } = Summaries.parse(await this.expect('GET', path));
    return data.map(({ event }) => event).reverse();
  }
}

export type Subject = ReturnType<typeof createSubject>;

/** A deployed stack under examination: users, sources and what else the checks create, until `close` removes them. */
export function createSubject({ sleep, ...options }: SubjectOptions) {
  const { operator, api } = options;
  const users = new Map<number, Promise<DoctorUser>>();
  const mirrors = new Map<number, Promise<Deployed>>();
  let ticker: Promise<Deployed> | undefined;

  /** A name that no other examination uses. */
  const uniqueName = () => `doctor-${Buffer.from(operator.random(8)).toString('hex')}`;

  const user = (n: 0 | 1): Promise<DoctorUser> =>
    remembered(users, n, async () => {
      const profile = { username: uniqueName(), email: 'doctor@example.com', plan: 'free' } as const;
      const { json } = await createUser.run(operator, profile);
      return new DoctorUser(api, Created.parse(json));
    });

  return {
    ...options,
    uniqueName,
    user,

    /** A source of this user that responds with its event. */
    mirror: (n: 0 | 1) => remembered(mirrors, n, async () => deploy(await user(n), MIRROR)),

    /** A source with a timer of one minute. */
    ticker: () => (ticker ??= user(0).then((owner) => deploy(owner, TICKER))),

    /** Waits until the condition gives a value; undefined if it does not in time. */
    async until<T>(withinMs: number, condition: () => Promise<T | undefined>): Promise<T | undefined> {
      for (let left = withinMs; ; left -= POLL_MS) {
        const value = await condition();
        if (value !== undefined || left <= 0) return value;
        await sleep(POLL_MS);
      }
    },

    /** Deletes the users with everything that they own. If one cannot be deleted, the others are. */
    async close(): Promise<void> {
      const deleted = await Promise.allSettled(
        [...users.values()].map(async (creating) => {
          const created = await creating.catch(() => undefined);
          if (created) await deleteUser.run(operator, { user: created.id });
        }),
      );
      for (const result of deleted) if (result.status === 'rejected') throw result.reason;
    },
  };
}

async function deploy(user: DoctorUser, code: string): Promise<Deployed> {
  const { data } = SourceResponse.parse(await user.expect('POST', '/sources', { component_code: code }));
  const endpoint = data.configured_props.http?.endpoint_url ?? '';
  return { user, id: data.id, componentId: data.component_id, endpoint };
}

/** Made once; a failed attempt is not repeated. */
function remembered<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>) {
  let value = known.get(key);
  if (!value) known.set(key, (value = make()));
  return value;
}
