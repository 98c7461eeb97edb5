import { Agent } from 'undici';
import { connector, type Resolve } from '../../../shared/aws/network.ts';
import { BuildFailure } from '../failure.ts';
import { get } from './get.ts';
import type { BuildSettings } from '../builder-settings.ts';

const REDIRECTS = 3;
const TIMEOUT_MS = 10_000;
const FILE_BYTES = 1024 * 1024;

/** Some hosts refuse requests without a user agent. */
const HEADERS = { 'user-agent': 'Tributary', accept: '*/*' };

export interface FetchedFile {
  /** URL after redirects, the base of relative imports. */
  address: string;
  /** URL before redirects; its extension gives the file type. */
  requested: string;
  text: string;
  isPage: boolean;
}

/** `absent`, with a message, for status 403, 404 and 410. Every other failure is thrown. */
export type Fetched = { file: FetchedFile } | { absent: string };

export type FetchFile = (address: string) => Promise<Fetched>;

/** Fetches files of components: http(s) only, at most 3 redirects and 1 MiB, within the stage's network rule. */
export function fileFetcher(
  { network, hosts }: Pick<BuildSettings, 'network' | 'hosts'>,
  resolve?: Resolve,
): FetchFile {
  const connect = connector(network, resolve && { resolve });
  const dispatcher = new Agent({ connect, keepAliveTimeout: 4_000 });

  function reachable(address: string): URL {
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new BuildFailure(`${address} cannot be fetched: only http and https addresses can`);
    const origin = hosts[url.host];
    return origin ? new URL(url.pathname + url.search, origin) : url;
  }

  async function follow(start: string): Promise<Fetched> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    let address = start;
    for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
      const { status, type, location, bytes } = await get(dispatcher, reachable(address), {
        headers: HEADERS,
        signal,
        maxBytes: FILE_BYTES,
      });
      if (status === 200) {
        if (!bytes) throw new BuildFailure(`${address} is larger than 1 MiB`);
        return {
          file: { address, requested: start, text: utf8(bytes, start), isPage: type.startsWith('text/html') },
        };
      }
      if (status < 300 || status >= 400 || !location) {
        const failure = `${start} answered ${status}`;
        if ([403, 404, 410].includes(status)) return { absent: failure };
        throw new BuildFailure(failure);
      }
      address = new URL(location, address).href;
    }
    throw new BuildFailure(`${start} redirects more than ${REDIRECTS} times`);
  }

  return async (address) => {
    try {
      return await follow(address);
    } catch (error) {
      if (error instanceof BuildFailure) throw error;
      throw new BuildFailure(`${address} could not be fetched: ${reason(error)}`, { cause: error });
    }
  };
}

function utf8(bytes: Uint8Array, address: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BuildFailure(`${address} is not UTF-8 text`);
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`;
  // An AggregateError of several IP addresses has no message.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return first.message;
}
