import type { Clock } from './clock.ts';

/** Calls back at the earliest of the times that were asked for, and forgets the others. */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #onWake: () => void;
  #next: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, onWake: () => void) {
    this.#clock = clock;
    this.#onWake = onWake;
  }

  /** Epoch ms. */
  wakeBy(at: number | undefined): void {
    if (at === undefined || (this.#next && this.#next.at <= at)) return;
    this.cancel();
    const cancel = this.#clock.wakeAt(at, () => {
      this.#next = undefined;
      this.#onWake();
    });
    this.#next = { at, cancel };
  }

  cancel(): void {
    this.#next?.cancel();
    this.#next = undefined;
  }
}
