/** Time that never goes back, so that what was to end soon still does when the clock is set back. */
export class SteadyTime {
  #latest = -Infinity;
  #lead = 0;

  /** Milliseconds of steady time at clock time `now`. */
  at(now: number): number {
    if (now < this.#latest) this.#lead += this.#latest - now;
    this.#latest = now;
    return now + this.#lead;
  }
}
