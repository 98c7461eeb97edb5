import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { readFileSync, statSync } from 'node:fs';

/** The honoured options of `/etc/resolv.conf`: https://man7.org/linux/man-pages/man5/resolv.conf.5.html */
export interface ResolvConf {
  /** `address` or `address:port`. */
  readonly servers: readonly string[];
  readonly search: readonly string[];
  readonly ndots: number;
}

const MAX_SERVERS = 3;
const MAX_SEARCH = 6;
const MAX_NDOTS = 15;

export function readResolvConf(text: string): ResolvConf {
  const servers: string[] = [];
  let search: string[] = [];
  let ndots = 1;
  for (const [keyword = '', ...values] of wordsOf(text, /^\s*[#;].*$/)) {
    const [first = ''] = values;
    if (keyword === 'nameserver' && isServer(first)) servers.push(first);
    if (keyword === 'search') search = values;
    if (keyword === 'domain') search = values.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const value of values) {
      const [, dots] = /^ndots:(\d+)$/.exec(value) ?? [];
      if (dots !== undefined) ndots = Math.min(Number(dots), MAX_NDOTS);
    }
  }
  return {
    servers: servers.length === 0 ? ['127.0.0.1'] : servers.slice(0, MAX_SERVERS),
    search: search.slice(0, MAX_SEARCH).map((domain) => domain.replace(/^\.+|\.+$/g, '')),
    ndots,
  };
}

const isServer = (text: string): boolean => isIP(text) !== 0 || isIP(text.replace(/^\[(.+)\]:\d+$|:\d+$/, '$1')) !== 0;

/** The addresses of names in `/etc/hosts`, in the order of the file. */
export function readHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const [address = '', ...aliases] of wordsOf(text, /#.*$/)) {
    const family = isIP(address);
    for (const alias of family === 0 ? [] : aliases) {
      const key = alias.toLowerCase();
      const known = names.get(key) ?? [];
      if (!known.some((each) => each.address === address)) known.push({ address, family });
      names.set(key, known);
    }
  }
  return names;
}

const wordsOf = (text: string, comment: RegExp): string[][] =>
  text
    .split('\n')
    .map((line) => line.replace(comment, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));

/**
 * The names to ask for, in order. A name with `ndots` dots is tried as it is first; one that ends in a dot is not
 * completed.
 */
export function candidatesOf(name: string, { search, ndots }: ResolvConf): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = search.filter((domain) => domain !== '').map((domain) => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...completed] : [...completed, name];
}

/** Time between two looks at a file. */
const LOOK_MS = 1_000;

/** A small local file as it is now, parsed again when it has changed. A file that cannot be read is empty. */
export class WatchedFile<Parsed> {
  readonly #path: string;
  readonly #parse: (text: string) => Parsed;
  #parsed: Parsed | undefined;
  #version = '';
  #lookedAt = -Infinity;

  constructor(path: string, parse: (text: string) => Parsed) {
    this.#path = path;
    this.#parse = parse;
  }

  /** The same object until the file changes. */
  get(): Parsed {
    const now = performance.now();
    if (this.#parsed !== undefined && now - this.#lookedAt < LOOK_MS) return this.#parsed;
    this.#lookedAt = now;
    const version = this.#read(() => {
      const { ino, size, mtimeMs } = statSync(this.#path);
      return [ino, size, mtimeMs].join(' ');
    });
    if (this.#parsed === undefined || version !== this.#version)
      this.#parsed = this.#parse(this.#read(() => readFileSync(this.#path, 'utf8')));
    this.#version = version;
    return this.#parsed;
  }

  #read(read: () => string): string {
    try {
      return read();
    } catch {
      return '';
    }
  }
}
