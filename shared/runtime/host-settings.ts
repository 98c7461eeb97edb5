import { isDict } from './guards.ts';

/** Settings that the host of a process for untrusted code adds. */
export interface HostSettings {
  /** Socket of the gateway, the only way out of the sandbox. */
  gateway?: string;
  /** Ports of the service on this machine. */
  ownPorts: readonly number[];
  /** Ports of its ingress. */
  openPorts: readonly number[];
}

const VARIABLE = 'TRIBUTARY_PROCESS_HOST';

export const hostVariable = (settings: HostSettings): Record<string, string> => ({
  [VARIABLE]: JSON.stringify(settings),
});

/** Takes the settings out of the environment, so that a component does not see them. */
export function takeHostSettings(env: NodeJS.ProcessEnv): HostSettings {
  const text = env[VARIABLE];
  Reflect.deleteProperty(env, VARIABLE);
  const value: unknown = text === undefined ? {} : JSON.parse(text);
  const { gateway, ownPorts, openPorts } = isDict(value) ? value : {};
  return {
    ...(typeof gateway === 'string' ? { gateway } : {}),
    ownPorts: Array.isArray(ownPorts) ? ownPorts.map(Number) : [],
    openPorts: Array.isArray(openPorts) ? openPorts.map(Number) : [],
  };
}
