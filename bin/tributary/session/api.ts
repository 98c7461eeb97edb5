import * as z from 'zod';
import { createTributary } from '../../../shared/client/create-tributary.ts';
import type { Fetch } from '../../../shared/client/send.ts';
import { TributaryError } from '../../../shared/client/tributary-error.ts';
import { CommandFailure, unreachableFailure } from '../failures.ts';
import { isThisMachine } from './service-address.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

interface CallOptions {
  query?: Query | undefined;
  body?: unknown;
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
}

/** The public interface of a service, with the key of one user. */
export interface Api {
  /** Ends in `/v1`. */
  readonly base: string;
  /** The `data` of a response. */
  get<T extends z.ZodType>(path: string, schema: T, options?: CallOptions): Promise<z.output<T>>;
  /** The JSON text of a response, for what parsing would change. */
  getText(path: string, options?: CallOptions): Promise<string>;
  /** All items of a paginated list, newest first, or the newest `limit`. */
  list<T extends z.ZodType>(
    path: string,
    schema: T,
    options?: CallOptions & { limit?: number | undefined },
  ): Promise<z.output<T>[]>;
  send<T extends z.ZodType>(
    method: 'POST' | 'PUT',
    path: string,
    schema: T,
    options?: CallOptions,
  ): Promise<z.output<T>>;
  delete(path: string, query?: Query): Promise<void>;
  /** Why the service does not work, in its own words; undefined when it works, or does not say. */
  healthProblem(): Promise<string | undefined>;
}

interface ApiOptions {
  base: string;
  key: string;
  fetch: Fetch;
  /** Lines of `--debug`. */
  debug: (line: string) => void;
  note: (sentence: string) => void;
}

const PAGE = 100;
/** A service that has not responded within this time counts as not there. */
const LONGEST_WAIT_MS = 30_000;
/** The response to a build that takes long is 503; the repeated request finds it done. */
const BUILD_RETRIES = 5;

/** The health comes together with another request, which shows whether the service can be reached. */
const HEALTH_MS = 3_000;
const Unhealthy = z.object({ reason: z.string() });

const Envelope = z.looseObject({ data: z.unknown(), warnings: z.array(z.string()).optional() });

/** The client, with a schema for each response, and its errors as sentences and exit codes. */
export function createApi({ base, key, fetch, debug, note }: ApiOptions): Api {
  let hasNamedHost = isThisMachine(base);
  const client = createTributary({
    url: base,
    key,
    fetch,
    timeoutMs: LONGEST_WAIT_MS,
    retries: BUILD_RETRIES,
    beforeRetry({ error, attempts }) {
      if (error.code !== 'still_building') throw error;
      if (attempts === 1) note('The service is still building the component; waiting.');
    },
  });

  async function sentenced<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw failureOf(base, error);
    }
  }

  /** The value of a service that keeps its own interface; another shape means that another program responds. */
  function fitting<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    debug(`! data.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    throw notThere(base);
  }

  async function dataOf<T extends z.ZodType>(schema: T, call: () => Promise<unknown>): Promise<z.output<T>> {
    const { data, warnings = [] } = fitting(Envelope, await sentenced(call));
    for (const warning of warnings) note(`Warning: ${warning}`);
    return fitting(schema, data);
  }

  function nameHost(): void {
    if (hasNamedHost) return;
    hasNamedHost = true;
    note(`This changes ${new URL(base).host}.`);
  }

  return {
    base,
    get: (path, schema, options) => dataOf(schema, () => client.get(`/v1${path}`, initOf(options))),
    getText: (path, options) => sentenced(() => client.getText(`/v1${path}`, initOf(options))),
    async list(path, schema, { query, limit = Infinity, ...options } = {}) {
      const init = initOf({ ...options, query: { ...query, limit: Math.min(PAGE, limit) } });
      const items: z.output<typeof schema>[] = [];
      await sentenced(async () => {
        for await (const item of client.items(`/v1${path}`, init))
          if (items.push(fitting(schema, item)) >= limit) return;
      });
      return items;
    },
    async send(method, path, schema, options) {
      // Options of a prop are asked for by POST, which changes nothing.
      if (!path.endsWith('/configure')) nameHost();
      const call = method === 'POST' ? client.post : client.put;
      return dataOf(schema, () => call(`/v1${path}`, initOf(options)));
    },
    async delete(path, query = {}) {
      nameHost();
      // An option that was not given is undefined; one without a value was refused before.
      const chosen = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
      await sentenced(() => client.delete(`/v1${path}`, initOf({ query: chosen })));
    },
    async healthProblem() {
      try {
        const response = await fetch(
          new Request(new URL('/healthz', base), { signal: AbortSignal.timeout(HEALTH_MS) }),
        );
        return response.status === 503 ? Unhealthy.parse(await response.json()).reason : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

const notThere = (base: string) =>
  unreachableFailure(`${base} answers, but no Tributary is there: check the address.`, 'not_tributary');

function failureOf(base: string, error: unknown): unknown {
  if (!(error instanceof TributaryError)) return error;
  const { message, kind, code, details, requestId } = error;
  if (code === 'no_connection') return unreachableFailure(`${message} Check the address, and that the service runs.`);
  if (code === 'no_answer') return unreachableFailure(message, code);
  if (kind === 'unreachable') return notThere(base);
  return new CommandFailure(1, {
    error: message,
    code,
    ...(details.length === 0 ? {} : { details }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  });
}

const initOf = ({ query = {}, body, headers, signal }: CallOptions = {}) => ({
  params: { query },
  ...(headers ? { headers } : {}),
  ...(body === undefined ? {} : { body }),
  ...(signal ? { signal } : {}),
});
