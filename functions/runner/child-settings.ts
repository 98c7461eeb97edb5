import type { NetworkRule } from '../../shared/domain/network/network-rule.ts';
import { isDict } from '../../shared/runtime/guards.ts';

/** Settings of a child, which it reads before it loads code. */
export interface ChildSettings {
  /** `host:port` of the Lambda runtime API, from which a function gets its invocations. */
  runtimeApi?: string | undefined;
  /** Host → `host:port` that components connect to instead; `*` is every name but localhost. */
  hosts: Readonly<Record<string, string>>;
  network: NetworkRule;
}

/** Takes the settings out of the arguments, so that a component does not see them. */
export function takeChildSettings(argv: string[]): ChildSettings {
  const value: unknown = JSON.parse(argv[2] ?? '{}');
  argv.length = 2;
  const { runtimeApi, hosts, network } = isDict(value) ? value : {};
  return {
    runtimeApi: typeof runtimeApi === 'string' ? runtimeApi : undefined,
    hosts: Object.fromEntries(
      Object.entries(isDict(hosts) ? hosts : {}).map(([host, address]) => [host, String(address)]),
    ),
    network: {
      allowPrivate: isDict(network) && network['allowPrivate'] === true,
      allowList: listIn(network, 'allowList').map(String),
      ownPorts: listIn(network, 'ownPorts').map(Number),
      openPorts: listIn(network, 'openPorts').map(Number),
    },
  };
}

function listIn(value: unknown, name: string): unknown[] {
  const list = isDict(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
