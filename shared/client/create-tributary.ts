import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
import type { paths } from './paths.ts';
import { createSend, type SendOptions } from './send.ts';
import { notTributary, TributaryError } from './tributary-error.ts';

export interface TributaryOptions extends SendOptions {
  /** Address of the service, with or without `/v1`. */
  url: string;
  /** API key of the user. */
  key: string;
}

type Method = 'get' | 'post' | 'put' | 'delete';
type PathOf<M extends Method> = ClientPathsWithMethod<Client<paths>, M>;
type InitOf<M extends Method, Path extends PathOf<M>> = MaybeOptionalInit<paths[Path], M>;
/** Parameters, body and `signal`; may be left out if nothing in it is required. */
type Init<Options> = undefined extends Options ? [init?: Options] : [init: Options];
type ResponseOf<M extends Method, Path extends PathOf<M>> = MethodResponse<Client<paths>, M, Path>;

type Call<M extends Method> = <Path extends PathOf<M>>(
  path: Path,
  ...init: Init<InitOf<M, Path>>
) => Promise<ResponseOf<M, Path>>;

/** Paths of lists that come in pages. */
type ListPath = {
  [Path in PathOf<'get'>]: ResponseOf<'get', Path> extends { data: readonly unknown[]; page_info: object }
    ? Path
    : never;
}[PathOf<'get'>];
type ItemOf<Path extends ListPath> = ResponseOf<'get', Path> extends { data: readonly (infer Item)[] } ? Item : never;

/** Each call resolves with the whole response, such as `{ data }`, and rejects with a `TributaryError`. */
export interface Tributary {
  get: Call<'get'>;
  /** The same as JSON text, as the service wrote it: parsing would change the numbers and the order of some members. */
  getText<Path extends PathOf<'get'>>(path: Path, ...init: Init<InitOf<'get', Path>>): Promise<string>;
  post: Call<'post'>;
  put: Call<'put'>;
  /** Rejects, and sends nothing, when a parameter is undefined or null: without it more would be removed. */
  delete<Path extends PathOf<'delete'>>(path: Path, ...init: Init<InitOf<'delete', Path>>): Promise<void>;
  /** All items of a list, page by page as they are asked for. */
  items<Path extends ListPath>(
    path: Path,
    ...init: Init<InitOf<'get', Path>>
  ): AsyncGenerator<ItemOf<Path>, void, undefined>;
}

interface LooseInit {
  [option: string]: unknown;
  params?: { query?: Readonly<Record<string, unknown>> };
}

/** The same without the types of the document. */
interface LooseTributary {
  get(path: string, init?: LooseInit): Promise<unknown>;
  getText(path: string, init?: LooseInit): Promise<string>;
  post(path: string, init?: LooseInit): Promise<unknown>;
  put(path: string, init?: LooseInit): Promise<unknown>;
  delete(path: string, init?: LooseInit): Promise<void>;
  items(path: string, init?: LooseInit): AsyncGenerator<unknown, void, undefined>;
}

interface LooseOperation {
  parameters: { query?: Readonly<Record<string, unknown>> };
  responses: {
    200: { content: { 'application/json': { data: unknown; page_info?: { end_cursor: string | null } } } };
  };
}
type LoosePaths = Record<string, Record<Method, LooseOperation>>;

/** The API of a service with the key of one user, typed from its OpenAPI document. */
export function createTributary(options: TributaryOptions): Tributary;
export function createTributary({ url, key, ...options }: TributaryOptions): LooseTributary {
  const client = createClient<LoosePaths>({
    baseUrl: url.replace(/\/+$/, '').replace(/\/v1$/, ''),
    headers: { authorization: `Bearer ${key}` },
    // Another host would get the key.
    redirect: 'manual',
    fetch: createSend(options, { wait, now: Date.now, random: Math.random }),
  });
  const get = (path: string, init?: LooseInit) => bodyOf(client.GET(path, init));
  return {
    get,
    getText: async (path, init) => (await client.GET(path, { ...init, parseAs: 'text' })).data ?? '',
    post: (path, init) => bodyOf(client.POST(path, init)),
    put: (path, init) => bodyOf(client.PUT(path, init)),
    async delete(path, init) {
      refuseUnsetParameters(path, init);
      await client.DELETE(path, init);
    },
    async *items(path, init) {
      let after: string | undefined;
      do {
        const query = { limit: 100, ...init?.params?.query, ...(after === undefined ? {} : { after }) };
        const page = await get(path, { ...init, params: { ...init?.params, query } });
        const items: unknown = page?.data;
        if (!Array.isArray(items)) throw notTributary(200);
        yield* items;
        // A page of a filtered list may be empty though others follow; the same cursor again leads nowhere.
        const next = page?.page_info?.end_cursor ?? undefined;
        after = next === after ? undefined : next;
      } while (after !== undefined);
    },
  };
}

/** A success whose body is not JSON comes from another program. */
async function bodyOf<Body>(sent: Promise<{ data?: Body }>): Promise<Body | undefined> {
  try {
    return (await sent).data;
  } catch (error) {
    throw error instanceof SyntaxError ? notTributary(200) : error;
  }
}

/** Rejects when the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('The request was aborted'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

interface RemovalInit {
  params?: { query?: Readonly<Record<string, unknown>> };
  body?: unknown;
}

/**
 * Refuses parameters that are given without a value: they would not be sent, and a removal without them removes more.
 */
function refuseUnsetParameters(path: string, { params, body }: RemovalInit = {}): void {
  const members = [...Object.entries(params?.query ?? {}), ...Object.entries(Object(body))];
  const [name] = members.find(([, value]) => value === undefined || value === null) ?? [];
  if (name === undefined) return;
  throw new TributaryError(
    `DELETE ${path}: ${name} has no value. Without it more would be removed: give it a value, or leave it out.`,
    { kind: 'invalid', code: 'invalid_request', details: [{ path: name, message: 'has no value' }] },
  );
}
