import type { Attacker } from './attacker.ts';
import { load } from './load.ts';

/** One row: something that a user may try with an ordinary key while a neighbour works. */
export interface NeighbourAttack {
  name: string;
  /**
   * Attacks until the signal, and ends what it started outside of the service: sockets, servers. Sources and webhooks are deleted after
   * it. Returns the number of attempts that reached the service: an attack that makes none shows nothing.
   */
  attack(attacker: Attacker, signal: AbortSignal): Promise<number>;
}

/** Every attack, each for about 20 s. A group of them has a file of its own. */
export const neighbourAttacks: readonly NeighbourAttack[] = [...load];
