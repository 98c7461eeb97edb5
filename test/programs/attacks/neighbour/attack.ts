import type { Attacker } from './attacker.ts';

/** One row: something that a user may try with an ordinary key while a neighbour works. */
export interface NeighbourAttack {
  name: string;
  /** Users do this, too: it prepares a service for the first attack. */
  isOrdinary?: true;
  /**
   * Attacks until the signal, and ends what it started outside of the service: sockets, servers. Sources and webhooks
   * are deleted after it. Returns the number of attempts that reached the service: an attack that makes none shows
   * nothing.
   */
  attack(attacker: Attacker, signal: AbortSignal): Promise<number>;
}

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
