import { Agent, type AgentOptions } from 'node:https';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import {
  type AddressCheck,
  checkedLookup,
  checkLiteral,
  addressCheckOf,
  type Resolve,
} from '../../../shared/aws/network.ts';
import type { NetworkRule } from '../../../shared/domain/network/network-rule.ts';

/** Connect timeout. npm tries twice; both attempts together take less than the caller waits for a build. */
const LONGEST_CONNECT_MS = 5_000;

/**
 * An agent for npm's HTTP client, for http and https, because the registry chooses the URLs of its archives. Checks
 * every connection against the rule, and times out early.
 */
export function registryAgent(
  rule: NetworkRule,
  { connectMs = LONGEST_CONNECT_MS, resolve, ...options }: RegistryAgentOptions = {},
): Agent {
  return new RuledAgent(
    { addresses: addressCheckOf(rule), connectMs, resolve },
    { keepAlive: true, maxSockets: 15, ...options },
  );
}

interface RegistryAgentOptions extends AgentOptions {
  connectMs?: number;
  /** Replaces the resolver. */
  resolve?: Resolve | undefined;
}

interface ConnectionRules {
  addresses: AddressCheck;
  connectMs: number;
  resolve: Resolve | undefined;
}

class RuledAgent extends Agent {
  readonly #rules: ConnectionRules;
  /** Node compares this with a request's protocol; undefined accepts both. */
  readonly protocol = undefined;

  constructor(rules: ConnectionRules, options: AgentOptions) {
    super(options);
    // Newer versions of Node give every request the protocol of its agent.
    Reflect.deleteProperty(Reflect.get(this, 'options'), 'protocol');
    this.#rules = rules;
  }

  override createConnection(options: NetConnectOpts & { protocol?: string }): Socket {
    const host = 'host' in options ? (options.host ?? '') : '';
    const port = 'port' in options ? Number(options.port) : 0;
    const { addresses, connectMs, resolve } = this.#rules;
    const refused = checkLiteral(host, port, addresses);
    if (refused) throw refused;
    const ruled = { ...options, lookup: checkedLookup(addresses, port, resolve) };
    const socket = options.protocol === 'https:' ? secureConnect(ruled) : connect(ruled);
    const overdue = setTimeout(() => {
      const error = new Error(`connect ETIMEDOUT ${host}:${port}`);
      socket.destroy(Object.assign(error, { code: 'ETIMEDOUT', syscall: 'connect' }));
    }, connectMs);
    return socket.once('connect', () => clearTimeout(overdue)).once('close', () => clearTimeout(overdue));
  }
}
