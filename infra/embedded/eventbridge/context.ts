import type { Clock } from '../clock.ts';

/** The parts of the service that its operations work on. */
export interface EventBridgeContext {
  readonly clock: Clock;
  readonly region: string;
  readonly account: string;
  /** Names of the event buses. */
  readonly buses: ReadonlySet<string>;
  /** Keeps an event of a bus durably. */
  record(bus: string, event: string): Promise<unknown>;
}
