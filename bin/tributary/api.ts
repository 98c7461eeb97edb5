import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { VERSION } from '../../shared/domain/version.ts';
import { failureOf } from './api-error.ts';
import { unreachableFailure } from './failures.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { isThisMachine } from './service-address.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

interface CallOptions {
  query?: Query | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

const Envelope = z.looseObject({
  data: z.unknown(),
  page_info: z.looseObject({ end_cursor: z.string().nullable().optional() }).optional(),
  warnings: z.array(z.string()).optional(),
});
type Envelope = z.infer<typeof Envelope>;

/** The public interface of a service, with the key of one user. */
export interface Api {
  /** Ends in `/v1`. */
  readonly base: string;
  /** The `data` of an answer. */
  get<T extends z.ZodType>(path: string, schema: T, options?: CallOptions): Promise<z.output<T>>;
  send<T extends z.ZodType>(
    method: 'POST' | 'PUT',
    path: string,
    schema: T,
    options?: CallOptions,
  ): Promise<z.output<T>>;
  delete(path: string, query?: Query): Promise<void>;
  /** A page of a list, and the cursor of the next one. */
  page<T extends z.ZodType>(
    path: string,
    schema: T,
    options?: CallOptions,
  ): Promise<{ items: z.output<T>[]; next: string | undefined }>;
  /** The text of an answer, for what parsing would change. */
  text(path: string, options?: CallOptions): Promise<string>;
}

export interface ApiOptions {
  base: string;
  key: string;
  http: HttpClient;
  /** Lines of `--debug`; they never hold the key. */
  debug: (line: string) => void;
  note: (sentence: string) => void;
}

/** A build that takes long is answered with 503; the repeated request finds it done. */
const BUILD_RETRIES = 5;

export function createApi({ base, key, http, debug, note }: ApiOptions): Api {
  let hasNamedHost = isThisMachine(base);

  async function call(method: string, path: string, { query, body, signal }: CallOptions = {}) {
    const url = `${base}${path}${queryText(query)}`;
    for (let attempt = 0; ; attempt += 1) {
      const begin = performance.now();
      debug(`> ${method} ${url}`);
      const answer = await http({
        method,
        url,
        headers: {
          authorization: `Bearer ${key}`,
          'user-agent': `tributary-cli/${VERSION}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
      });
      const took = Math.round(performance.now() - begin);
      debug(`< ${answer.status} ${took} ms ${answer.headers.get('x-request-id') ?? ''}`.trimEnd());
      if (!isStillBuilding(answer) || attempt === BUILD_RETRIES) return checked(answer);
      if (attempt === 0) note('The service is still building the component; waiting.');
      await delay(retryAfterMs(answer), undefined, signal ? { signal } : {});
    }
  }

  function checked(answer: HttpAnswer): Envelope | undefined {
    const { status, text } = answer;
    const body = parsed(text);
    if (status >= 400) throw failureOf(status, body) ?? notThere();
    if (status === 204) return undefined;
    const envelope = Envelope.safeParse(body);
    if (status >= 300 || !envelope.success || !('data' in envelope.data)) throw notThere();
    for (const warning of envelope.data.warnings ?? []) note(`Warning: ${warning}`);
    return envelope.data;
  }

  const notThere = () =>
    unreachableFailure(`${base} answers, but no Tributary is there: check the address.`, 'not_tributary');

  /** The answer of a service that keeps its own interface; another shape means that another program answers. */
  function fitting<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    debug(`! data.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    throw notThere();
  }

  function nameHost(): void {
    if (hasNamedHost) return;
    hasNamedHost = true;
    note(`This changes ${new URL(base).host}.`);
  }

  return {
    base,
    async get(path, schema, options) {
      return fitting(schema, (await call('GET', path, options))?.data);
    },
    async send(method, path, schema, options) {
      // Options of a prop are asked for by POST, which changes nothing.
      if (!path.endsWith('/configure')) nameHost();
      return fitting(schema, (await call(method, path, options))?.data);
    },
    async delete(path, query) {
      nameHost();
      await call('DELETE', path, { query });
    },
    async page(path, schema, options) {
      const answer = await call('GET', path, options);
      const items = fitting(z.array(schema), answer?.data);
      return { items, next: answer?.page_info?.end_cursor ?? undefined };
    },
    async text(path, { query, signal } = {}) {
      const url = `${base}${path}${queryText(query)}`;
      debug(`> GET ${url}`);
      const answer = await http({ method: 'GET', url, headers: { authorization: `Bearer ${key}` }, signal });
      checked(answer);
      return answer.text;
    },
  };
}

/** All items of a paginated list, newest first, or the newest `limit`. */
export async function allOf<T extends z.ZodType>(
  api: Api,
  path: string,
  schema: T,
  { query = {}, limit = Infinity }: { query?: Query; limit?: number | undefined } = {},
): Promise<z.output<T>[]> {
  const items: z.output<T>[] = [];
  let after: string | undefined;
  while (items.length < limit) {
    const size = Math.min(100, limit - items.length);
    const page = await api.page(path, schema, { query: { ...query, limit: size, after } });
    items.push(...page.items);
    if (page.items.length === 0 || page.next === undefined) break;
    after = page.next;
  }
  return items;
}

function queryText(query: Query = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isStillBuilding = ({ status, text }: HttpAnswer): boolean =>
  status === 503 && text.includes('"still_building"');

const retryAfterMs = ({ headers }: HttpAnswer): number =>
  Math.min(10, Math.max(1, Number(headers.get('retry-after') ?? 1))) * 1000;
