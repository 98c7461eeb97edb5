import { networkInterfaces } from 'node:os';
import { type Refuses, refusesBy } from '../../../shared/runtime/network/address-rule.ts';
import { TLS_PATH, tunnelThrough } from '../../../shared/runtime/network/tunnel.ts';
import type { HostSettings } from '../../../shared/runtime/host-settings.ts';
import type { ChildSettings } from '../child-settings.ts';
import { dropCodeCaches } from './guards/code-caches.ts';
import { guardConnections } from './guards/connections.ts';
import { removeDiagnostics } from './guards/diagnostics.ts';
import { detachEnvironment } from './guards/component-environment.ts';
import { handlePrototypes } from '../../../shared/runtime/network/handle-prototypes.ts';
import { guardHandles } from './guards/handles.ts';
import { mapHosts } from './guards/host-map.ts';
import { guardProcesses } from './guards/signals.ts';
import { ownSocketPath } from './guards/socket-paths.ts';

/** Captured before user code can replace it. */
const { apply } = Reflect;

interface ConfinementOptions extends ChildSettings, HostSettings {
  /** The component's own directory, the only place for its Unix sockets. */
  directory: string;
  /** Called when the component listens, on loopback or on a socket of its own. */
  onListen: () => void;
}

/**
 * Closes what Node's permission model leaves open and no component needs: the environment of the C library, signals and
 * priorities of other processes, diagnostics, caches of compiled code, sockets of the machine, and addresses that the
 * network rule refuses. The permission model closes files, programs, workers, add-ons and the inspector. In a sandbox
 * this is the inner layer, and the operating system the wall.
 */
export function confine({ gateway, directory, onListen, ...settings }: ConfinementOptions): void {
  detachEnvironment();
  guardProcesses();
  removeDiagnostics();
  dropCodeCaches();
  const handles = handlePrototypes();
  const own = ownSocketPath(directory);
  const refuses = gateway === undefined ? ruleOf(settings) : outsideRule();
  // The client of the gateway connects before the guards, and its handed over sockets are beside it.
  if (gateway !== undefined) tunnelThrough(gateway);
  const isHandedOver = handedOver(gateway);
  guardHandles(handles, { refuses, socketPath: (path) => (isHandedOver(path) ? path : own(path)), onListen });
  mapHosts(settings.hosts);
  guardConnections(
    gateway === undefined
      ? { refuses, socketPath: own }
      : { refuses: undefined, socketPath: (path) => (path === TLS_PATH ? path : own(path)) },
  );
}

function ruleOf({
  runtimeApi,
  hosts,
  network,
  ownPorts,
  openPorts,
}: Omit<ChildSettings & HostSettings, 'gateway'>): Refuses {
  const runtimePort = runtimeApi?.slice(runtimeApi.lastIndexOf(':') + 1);
  return refusesBy({
    ...network,
    ownPorts: [...ownPorts, ...(network.ownPorts ?? []), ...(runtimePort === undefined ? [] : [Number(runtimePort)])],
    openPorts: [...openPorts, ...(network.openPorts ?? [])],
    ownAddresses: Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address)),
    exceptions: Object.values(hosts),
  });
}

/** In the sandbox the network has one interface, the loopback one. */
const outsideRule = (): Refuses =>
  refusesBy({
    allowPrivate: false,
    allowList: ['127.0.0.0/8', '::1/128'],
    ownPorts: [],
    openPorts: [],
    ownAddresses: [],
    exceptions: [],
  });

/** The gateway puts each connection into its own directory. */
function handedOver(gateway: string | undefined): (path: string) => boolean {
  if (gateway === undefined) return () => false;
  const directory = gateway.slice(0, gateway.lastIndexOf('/') + 1);
  const { exec } = RegExp.prototype;
  const form = new RegExp(`^${directory}(?:gateway|connections\\d*)$`);
  return (path) => apply(exec, form, [path]) !== null;
}
