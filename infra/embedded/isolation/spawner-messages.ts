import type { ProcessEnd, ProcessOptions } from '../../../shared/runtime/processes.ts';
import type { Level } from './levels.ts';

/** Argument of the spawner, as JSON. */
export interface SpawnerSettings {
  asked?: Level | undefined;
}

/** Ports of the service on this machine. */
export interface ServicePorts {
  /** No process may reach these. */
  readonly ownPorts: readonly number[];
  /** Every process may reach these: the ingress. */
  readonly openPorts: readonly number[];
}

/** From the service to the spawner. */
export type ToSpawner =
  | { kind: 'start'; id: number; options: ProcessOptions }
  | { kind: 'kill'; id: number }
  /** The process belongs to this account from now on, and works for a party of it. */
  | { kind: 'account'; id: number; account: string; party: string }
  | { kind: 'ports'; ports: ServicePorts }
  /** Removed when the service ends. */
  | { kind: 'directory'; path: string }
  | { kind: 'remove'; path: string };

/** From the spawner to the service. A `stream` comes with a socket. */
export type FromSpawner =
  | { kind: 'ready'; level: Level }
  | { kind: 'unavailable'; message: string }
  | { kind: 'stream'; id: number; descriptor: number }
  | { kind: 'pid'; id: number; pid: number }
  | { kind: 'failed'; id: number; message: string }
  | ({ kind: 'ended'; id: number } & ProcessEnd);
