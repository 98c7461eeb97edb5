import { Agent, type AgentOptions } from 'node:https';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import { checkedLookup, checkLiteral, type NetworkRule } from '../../shared/aws/network.ts';

/**
 * An agent for npm's HTTP client, for http and https alike (the registry names the addresses of its archives): every connection
 * keeps to the rule.
 */
export function registryAgent(rule: NetworkRule, options: AgentOptions = {}): Agent {
  return new RuledAgent(rule, { keepAlive: true, maxSockets: 15, ...options });
}

class RuledAgent extends Agent {
  readonly #rule: NetworkRule;
  /** Node compares this with a request's protocol; undefined accepts both. */
  readonly protocol = undefined;

  constructor(rule: NetworkRule, options: AgentOptions) {
    super(options);
    this.#rule = rule;
  }

  override createConnection(options: NetConnectOpts & { protocol?: string }): Socket {
    const host = 'host' in options ? (options.host ?? '') : '';
    const refused = checkLiteral(host, this.#rule);
    if (refused) throw refused;
    const ruled = { ...options, lookup: checkedLookup(this.#rule) };
    return options.protocol === 'https:' ? secureConnect(ruled) : connect(ruled);
  }
}
