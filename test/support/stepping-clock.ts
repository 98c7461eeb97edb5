import { type Clock, systemClock } from '../../infra/embedded/clock.ts';

/** The machine's clock, set ahead by some time that a test changes: operators do that to clocks, too. */
export class SteppingClock implements Clock {
  aheadMs: number;

  constructor(aheadMs: number) {
    this.aheadMs = aheadMs;
  }

  now(): number {
    return Date.now() + this.aheadMs;
  }

  wakeAt(at: number, callback: () => void): () => void {
    return systemClock.wakeAt(at - this.aheadMs, callback);
  }
}
