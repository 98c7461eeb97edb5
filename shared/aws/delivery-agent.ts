import { Agent, type buildConnector, type Dispatcher } from 'undici';
import type { NetworkRule } from '../domain/network-rule.ts';
import { connector, type Resolve } from './network.ts';
import { HEAD_BYTES, limitAnswers } from './response-heads.ts';

/** Keeps receivers that hang from using all sockets. */
export const SOCKETS_PER_ORIGIN = 64;
const CONNECT_MS = 5_000;
/** Read of an answer after its header section. */
export const READ_BYTES = 64 * 1024;
/**
 * A connection is used for this long at most, however busy it is. Then the name is resolved again and its addresses are checked again, so
 * that a webhook's deliveries follow its name within a minute.
 */
export const LONGEST_CONNECTION_MS = 60_000;

/**
 * The connections of attempts. They are renewed all at once, by another agent: undici's own limit of their age (`clientTtl`) reads the clock
 * for each of an origin's connections before every request.
 */
export class DeliveryAgent {
  readonly #create: () => Agent;
  #agent: Agent;
  /** Epoch ms. */
  #since = Date.now();

  /** `resolve` replaces the resolver of the system. */
  constructor(rule: NetworkRule, options: { resolve?: Resolve } = {}) {
    this.#create = () =>
      new Agent({
        connect: limited(connector(rule, { ...options, timeout: CONNECT_MS })),
        maxHeaderSize: HEAD_BYTES + 1,
        connections: SOCKETS_PER_ORIGIN,
        pipelining: 1,
        keepAliveMaxTimeout: LONGEST_CONNECTION_MS,
        // Every attempt has its own, shorter timeout.
        headersTimeout: 60_000,
        bodyTimeout: 60_000,
      });
    this.#agent = this.#create();
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

/** Each connection reads answers within the limits of an attempt. */
function limited(connect: buildConnector.connector): buildConnector.connector {
  return (target, done) => {
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket) limitAnswers(socket, READ_BYTES);
      done(...result);
    });
  };
}
