import { type LookupAddress, type RecordWithTtl, Resolver } from 'node:dns';

/** Time of the first query to a server; c-ares doubles it with each of the tries, and learns shorter ones. */
export const FIRST_QUERY_MS = 500;
const TRIES = 4;
/** A channel is used for this long. Its queries share sockets, and with them ports that an attacker could learn. */
const CHANNEL_MS = 10_000;
/** Time after which all queries of a replaced channel have ended. */
const GRACE_MS = 6_000;
/**
 * Once one family of addresses is there, the other one has this time. https://www.rfc-editor.org/rfc/rfc8305#section-3
 */
const OTHER_FAMILY_MS = 300;
/** Addresses of each family that are used. */
const MAX_ADDRESSES = 32;

export interface Found {
  readonly addresses: readonly LookupAddress[];
  readonly ttlMs: number;
}

/** Asks the name servers by c-ares, which needs no thread. */
export class NameServers {
  readonly servers: readonly string[];
  #channel: Resolver | undefined;
  #since = 0;

  constructor(servers: readonly string[]) {
    this.servers = servers;
  }

  records(name: string, type: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, records: unknown) => {
        if (error) reject(error);
        else resolve(records);
      };
      try {
        if (type === 'REVERSE') this.#current().reverse(name, done);
        else this.#current().resolve(name, type, done);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** The addresses of exactly this name. Undefined if there are none. Rejects if a server fails, or does not answer. */
  addresses(name: string): Promise<Found | undefined> {
    const channel = this.#current();
    return new Promise((resolve, reject) => {
      const found: LookupAddress[] = [];
      let ttlMs = Infinity;
      let open = 2;
      let failure: Error | undefined;
      const end = () => {
        clearTimeout(late);
        if (found.length > 0) resolve({ addresses: found, ttlMs: open > 0 ? 0 : ttlMs });
        else if (failure) reject(failure);
        else resolve(undefined);
      };
      let late: NodeJS.Timeout | undefined;
      const take = (family: 4 | 6) => (error: Error | null, records: readonly RecordWithTtl[] | undefined) => {
        open -= 1;
        if (error && !isAbsent(error)) failure = error;
        for (const { address, ttl } of (records ?? []).slice(0, MAX_ADDRESSES)) {
          found.push({ address, family });
          ttlMs = Math.min(ttlMs, ttl * 1_000);
        }
        if (open === 0) end();
        else if (found.length > 0) late = setTimeout(end, OTHER_FAMILY_MS);
      };
      channel.resolve4(name, { ttl: true }, take(4));
      channel.resolve6(name, { ttl: true }, take(6));
    });
  }

  close(): void {
    const channel = this.#channel;
    this.#channel = undefined;
    if (channel) setTimeout(() => channel.cancel(), GRACE_MS).unref();
  }

  #current(): Resolver {
    const now = performance.now();
    if (this.#channel && now - this.#since < CHANNEL_MS) return this.#channel;
    this.close();
    const channel = new Resolver({ timeout: FIRST_QUERY_MS, tries: TRIES });
    channel.setServers(this.servers);
    this.#channel = channel;
    this.#since = now;
    return channel;
  }
}

/** As Node's `dns.lookup` fails, so that clients know the error. */
const ERRNO = { ENOTFOUND: -3008, EAI_AGAIN: -3001 } as const;

type LookupCode = keyof typeof ERRNO;

export const lookupError = (code: LookupCode, hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), {
    code,
    errno: ERRNO[code],
    syscall: 'getaddrinfo',
    hostname,
  });

/** The codes of c-ares that say: there is no such name, or it has no such record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ABSENT.has(String(error.code));

/** A name server that cannot answer for this name may answer for another one. */
export const isServerFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ESERVFAIL';
