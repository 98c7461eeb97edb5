import { builtinModules } from 'node:module';
import type { Level } from '../../../infra/embedded/isolation/levels.ts';

/** Addresses and paths that an attack aims at. A component gets them as `target`. */
export interface Target {
  /** A file of the machine that no component may read, and its directory. */
  canary: string;
  folder: string;
  /** A file in the directory of another source's process. */
  neighbour: string;
  /** Port of the service itself. */
  ownPort: number;
  /** Port of the Lambda runtime API. */
  runtimePort: number;
  /** Port of an ordinary server of this machine. */
  serverPort: number;
  /** UDP port of this machine. */
  udpPort: number;
  /** Path of a Unix socket of the machine. */
  socket: string;
  /** Name of an abstract Unix socket of the machine. */
  abstract: string;
  /** An address of this machine besides the loopback one. */
  machine: string;
  /** Process id of the service. */
  service: number;
  hostName: string;
}

/** An attempt that only the system can refuse; see `wall.ts`. */
export interface WallTarget extends Target {
  /** Process id of the spawner. */
  spawner: number;
  /** Process id of another source's process. */
  other: number;
  /** A directory that the process may write, and that stays after its end. */
  chain: string;
  /** A port that is free. */
  freePort: number;
}

/** One attempt of a component to get out of its process. */
export interface Attack {
  /** Text for the table in docs/isolation.md. */
  attempt: string;
  /** An expression. Its value, or the code of its error, is the response. */
  code: string;
  /** The response at every level, or at each. */
  outcome: string | Readonly<Record<Level, string>>;
  /** The response on the newest Node, where it differs. */
  newest?: string;
  /** Private addresses are refused (`ALLOW_PRIVATE_NETWORK=0`). */
  publicOnly?: boolean;
}

export const DENIED = 'ERR_ACCESS_DENIED';
/** The level does not prevent the attempt. */
export const REACHED = 'reached';

/** Newer than the minimum: the documentation's table shows where it answers differently. */
const isNewest = builtinModules.includes('node:sqlite');

export function outcomeAt({ outcome, newest }: Pick<Attack, 'outcome' | 'newest'>, level: Level): string {
  if (isNewest && newest !== undefined) return newest;
  return typeof outcome === 'string' ? outcome : outcome[level];
}
