import { Agent, type buildConnector, type Dispatcher } from 'undici';
import type { NetworkRule } from '../domain/network/network-rule.ts';
import { type Names, systemNames } from '../dns/resolve-names.ts';
import type { Destination } from './http-attempt.ts';
import { connector, type Resolve } from './network.ts';
import { HEAD_BYTES, limitResponses } from './response-heads.ts';

/**
 * Fewer than the files that a function may open:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const MAX_SOCKETS = 640;
/** Keeps the receivers of one user that hang, and names that do not answer, from using all sockets. */
export const SOCKETS_PER_OWNER = 160;
/** Keeps a receiver that hangs from using all sockets of its user. */
export const SOCKETS_PER_ORIGIN = 64;
const CONNECT_MS = 5_000;
/** Read of a response after its header section. */
export const READ_BYTES = 64 * 1024;
/**
 * A connection is used for this long at most, however busy it is. Then the name is resolved again and its addresses are
 * checked again, so that a webhook's deliveries follow its name within a minute.
 */
export const LONGEST_CONNECTION_MS = 60_000;

export interface AgentOptions {
  resolve?: Resolve | undefined;
  names?: Names | undefined;
}

/**
 * The connections of attempts. They are renewed all at once, by another agent: undici's own limit of their age
 * (`clientTtl`) reads the clock for each of an origin's connections before every request.
 */
export class DeliveryAgent {
  readonly #create: () => Agent;
  readonly #names: Pick<Names, 'isWarm' | 'lookup'> | undefined;
  #agent: Agent;
  /** Epoch ms. */
  #since = Date.now();

  /** `resolve` replaces the resolver of the system, `names` its sources. */
  constructor(rule: NetworkRule, { names = systemNames, resolve }: AgentOptions = {}) {
    this.#names = resolve ? undefined : names;
    const options = { resolve: resolve ?? names.lookup };
    this.#create = () =>
      new Agent({
        connect: limited(connector(rule, { ...options, timeout: CONNECT_MS })),
        maxHeaderSize: HEAD_BYTES + 1,
        // Attempts have permits; owners that share an origin do not share those.
        connections: MAX_SOCKETS,
        pipelining: 1,
        keepAliveMaxTimeout: LONGEST_CONNECTION_MS,
        // Every attempt has its own, shorter timeout.
        headersTimeout: 60_000,
        bodyTimeout: 60_000,
      });
    this.#agent = this.#create();
  }

  /**
   * Calls `done` when the name has addresses, so that a lookup that does not end counts for its user only. A name that
   * is known costs one look into a map; its next connection asks again.
   */
  resolve({ hostname }: Pick<Destination, 'hostname'>, ownerId: string, done: (error: Error | null) => void): void {
    if (!this.#names || this.#names.isWarm(hostname)) done(null);
    else this.#names.lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { by: { owner: ownerId, party: hostname } }, done);
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const now = Date.now();
    const age = now - this.#since;
    // Negative if the clock was set back.
    if (age > LONGEST_CONNECTION_MS || age < 0) {
      // Closes each connection when its request has ended.
      void this.#agent.close();
      this.#agent = this.#create();
      this.#since = now;
    }
    return this.#agent.dispatch(request, handler);
  }

  /** Ends the requests that are under way. */
  destroy(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** Each connection reads responses within the limits of an attempt. */
function limited(connect: buildConnector.connector): buildConnector.connector {
  return (target, done) => {
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket) limitResponses(socket, READ_BYTES);
      done(...result);
    });
  };
}
