/** Time that never goes back, so that what was to end soon still does when the clock is set back. */
export class SteadyTime {
  #latest = -Infinity;
  #lead = 0;

  /** Milliseconds, for what the clock says now. */
  at(now: number): number {
    if (now < this.#latest) this.#lead += this.#latest - now;
    this.#latest = now;
    return now + this.#lead;
  }
}
