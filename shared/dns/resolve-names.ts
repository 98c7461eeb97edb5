import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { TtlCache } from '../lib/ttl-cache.ts';
import { type LookupParty, LookupPermits, zoneOf } from './lookup-permits.ts';
import { isServerFailure, lookupError, FIRST_QUERY_MS, type Found, NameServers } from './name-servers.ts';
import { candidatesOf, readHosts, readResolvConf, type ResolvConf, WatchedFile } from './system-names.ts';

/** Longest lookup, with its wait for a permit: less than the connection of an attempt has. */
export const LOOKUP_MS = 4_000;
/** A lookup that has waited for this long is not begun: its first query would have no time. */
const LONGEST_WAIT_MS = LOOKUP_MS - FIRST_QUERY_MS;
/** Bounds of the time for which addresses are used without another query, whatever their TTL is. */
const SHORTEST_TTL_MS = 1_000;
const LONGEST_TTL_MS = 60_000;
/** Time for which a name counts as absent, or as silent. */
const FAILED_MS = 3_000;
/** Names in the cache; beyond them the oldest goes. */
const MAX_NAMES = 4_096;
/** Interfaces of this machine may change. */
const INTERFACES_MS = 10_000;

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

interface LookupOptions {
  family?: number | undefined;
  hints?: number | undefined;
  /** Lookups have limits per owner; those without one have none. */
  by?: LookupParty | undefined;
}

/** Node's form of a response to `lookup` with `all`. */
type LookupDone = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

interface NamesOptions {
  resolvConf?: string;
  hosts?: string;
}

type Outcome = { addresses: readonly LookupAddress[] } | { error: NodeJS.ErrnoException };
type Known = Outcome & { readonly until: number };

/** No server answered in time. */
const UNANSWERED = Symbol('unanswered');

const emptyCache = () =>
  new TtlCache<string, Known>({
    ttlMs: LONGEST_TTL_MS,
    maxEntries: MAX_NAMES,
    now: () => performance.now(),
  });

/**
 * Resolves names to addresses as the system does – `/etc/hosts`, then the name servers with the search rules of
 * `/etc/resolv.conf` – but without a thread for each name: names that do not answer hold nothing but their own time.
 * Node's `dns.lookup` has a few threads for all.
 */
export class Names {
  readonly #resolvConf: WatchedFile<{ conf: ResolvConf; servers: NameServers }>;
  readonly #hosts: WatchedFile<ReturnType<typeof readHosts>>;
  #known = emptyCache();
  readonly #asking = new Map<string, Promise<Outcome>>();
  readonly #permits = new LookupPermits();
  #used: NameServers | undefined;
  #interfaces = { hasV6: false, at: -Infinity };

  constructor({ resolvConf = '/etc/resolv.conf', hosts = '/etc/hosts' }: NamesOptions = {}) {
    this.#resolvConf = new WatchedFile(resolvConf, (text) => {
      const conf = readResolvConf(text);
      return { conf, servers: new NameServers(conf.servers) };
    });
    this.#hosts = new WatchedFile(hosts, readHosts);
  }

  /** Whether a lookup of the name is answered without a query, or was a minute ago at most. */
  isWarm(host: string): boolean {
    const known = this.#known.get(host);
    return (known !== undefined && 'addresses' in known) || this.#local(host) !== undefined;
  }

  readonly lookup = (host: string, options: LookupOptions, done: LookupDone): void => {
    const name = normalised(host);
    const local = this.#local(name);
    if (local) return done(null, this.#chosen(local, options));
    const known = this.#current(name);
    if (known) return this.#respond(host, known, options, done);
    void this.#ask(name, options.by).then((outcome) => this.#respond(host, outcome, options, done));
  };

  /** Records of a name, as Node's `dns.resolve` gives them. */
  async records(name: string, type: string, by: LookupParty): Promise<unknown> {
    const records = await this.#limited(zoneOf(name), by, () => this.#servers().records(name, type));
    if (records !== UNANSWERED) return records;
    const syscall = type === 'REVERSE' ? 'getHostByAddr' : `query${type.charAt(0)}${type.slice(1).toLowerCase()}`;
    const error = new Error(`${syscall} ETIMEOUT ${name}`);
    throw Object.assign(error, { code: 'ETIMEOUT', syscall, hostname: name });
  }

  #respond(host: string, known: Outcome, options: LookupOptions, done: LookupDone): void {
    if ('error' in known) return done(known.error, []);
    const chosen = this.#chosen(known.addresses, options);
    if (chosen.length === 0) done(lookupError('ENOTFOUND', host), []);
    else done(null, chosen);
  }

  /** Addresses that no name server knows. */
  #local(name: string): readonly LookupAddress[] | undefined {
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family }];
    // Forms such as `0x7f.1` and `2130706433`.
    if (/^[\dx]/i.test(name) && ipaddr.IPv4.isValid(name))
      return [{ address: ipaddr.IPv4.parse(name).toString(), family: 4 }];
    const bare = name.replace(/\.$/, '');
    const listed = this.#hosts.get().get(bare);
    if (listed) return listed;
    return bare === 'localhost' || bare.endsWith('.localhost') ? LOOPBACK : undefined;
  }

  #current(name: string): Known | undefined {
    const known = this.#known.get(name);
    return known && performance.now() < known.until ? known : undefined;
  }

  async #ask(name: string, by: LookupParty | undefined): Promise<Outcome> {
    const outcome = await this.#limited(zoneOf(name), by, () => this.#once(name));
    return outcome === UNANSWERED ? { error: lookupError('EAI_AGAIN', name) } : outcome;
  }

  /** One lookup of a name at a time, for all that ask for it and have a permit. */
  #once(name: string): Promise<Outcome> {
    const known = this.#current(name);
    if (known) return Promise.resolve(known);
    const asking =
      this.#asking.get(name) ??
      withDeadline(this.#found(name)).then((found) => {
        this.#asking.delete(name);
        const error = found === UNANSWERED ? 'EAI_AGAIN' : found === undefined ? 'ENOTFOUND' : undefined;
        const failed = { error: lookupError(error ?? 'EAI_AGAIN', name), ttlMs: FAILED_MS };
        return this.#keep(name, found === UNANSWERED || found === undefined ? failed : found);
      });
    this.#asking.set(name, asking);
    return asking;
  }

  #keep(name: string, found: Outcome & { ttlMs: number }): Outcome {
    const lifetimeMs = Math.min(Math.max(found.ttlMs, SHORTEST_TTL_MS), LONGEST_TTL_MS);
    this.#known.set(name, { ...found, until: performance.now() + lifetimeMs });
    return found;
  }

  /** Asks for the name and its completions, in order. Undefined if there is none. Never rejects. */
  async #found(name: string): Promise<Found | typeof UNANSWERED | undefined> {
    let hasFailed = false;
    for (const candidate of candidatesOf(name, this.#resolvConf.get().conf)) {
      try {
        const found = await this.#servers().addresses(candidate);
        if (found) return found;
      } catch (error) {
        if (!isServerFailure(error)) return UNANSWERED;
        hasFailed = true;
      }
    }
    return hasFailed ? UNANSWERED : undefined;
  }

  /**
   * Waits for a permit of the owner, then for the work; `UNANSWERED` if both take too long. A permit is given back by
   * then.
   */
  #limited<T>(zone: string, by: LookupParty | undefined, work: () => Promise<T>): Promise<T | typeof UNANSWERED> {
    if (by === undefined) return withDeadline(work());
    const last = performance.now() + LONGEST_WAIT_MS;
    const permit = this.#permits.take(by, zone);
    const limited = permit.then<T | typeof UNANSWERED>(() => (performance.now() > last ? UNANSWERED : work()));
    return withDeadline(limited).finally(() => {
      void permit.then((release) => release());
    });
  }

  #servers(): NameServers {
    const { servers } = this.#resolvConf.get();
    if (this.#used !== servers) {
      if (this.#used) this.#known = emptyCache();
      this.#used?.close();
      this.#used = servers;
    }
    return servers;
  }

  /** The addresses of the family asked for, those first that this machine can probably reach. */
  #chosen(addresses: readonly LookupAddress[], { family = 0, hints = 0 }: LookupOptions): LookupAddress[] {
    if (family !== 0) return addresses.filter((each) => each.family === family);
    const first = this.#hasV6() ? 6 : 4;
    const ordered = [
      ...addresses.filter((each) => each.family === first),
      ...addresses.filter((each) => each.family !== first),
    ];
    if ((hints & ADDRCONFIG) === 0 || first === 6) return ordered;
    const v4 = ordered.filter((each) => each.family === 4);
    return v4.length === 0 ? ordered : v4;
  }

  /** Whether an interface of this machine has an IPv6 address that others may reach. */
  #hasV6(): boolean {
    const now = performance.now();
    if (now - this.#interfaces.at > INTERFACES_MS) {
      const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      const hasV6 = all.some(
        ({ family, internal, address }) => family === 'IPv6' && !internal && !address.startsWith('fe80'),
      );
      this.#interfaces = { hasV6, at: now };
    }
    return this.#interfaces.hasV6;
  }
}

const normalised = (host: string): string => (domainToASCII(host) || host).toLowerCase();

function withDeadline<T>(work: Promise<T>): Promise<T | typeof UNANSWERED> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(resolve, LOOKUP_MS, UNANSWERED);
    work.then(
      (value) => {
        clearTimeout(late);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(late);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

/** The names of this process. Nothing is read before the first lookup. */
export const systemNames = /* @__PURE__ */ new Names();
