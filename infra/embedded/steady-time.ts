/** Time that never goes back. Waits do not grow when the system clock is set back. */
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
