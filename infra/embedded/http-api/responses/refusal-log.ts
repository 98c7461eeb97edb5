import { TtlCache } from '../../../../shared/lib/ttl-cache.ts';
import type { Refusal } from './refusal.ts';

/** One line of a client within this time. */
const QUIET_MS = 60_000;
const MAX_CLIENTS = 1_000;

/** Logs refused requests that no function sees, at level `warn`, at most once a minute for each client. */
export class RefusalLog {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  readonly #told: TtlCache<string, true>;

  constructor(write: (line: string) => void, now: () => number = Date.now) {
    this.#write = write;
    this.#now = now;
    this.#told = new TtlCache({ ttlMs: QUIET_MS, maxEntries: MAX_CLIENTS, now });
  }

  refused({ status, code }: Refusal, network: string): void {
    if (this.#told.get(network)) return;
    this.#told.set(network, true);
    const at = new Date(this.#now()).toISOString();
    this.#write(JSON.stringify({ level: 'warn', message: 'request.refused', at, client: network, status, code }));
  }
}
