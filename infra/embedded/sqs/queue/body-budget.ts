/** Bodies of short queues stay in memory. Beyond this sum, new bodies are only on disk. */
const MAX_KEPT_BYTES = 64 << 20;

/** Bytes of message bodies that all queues together keep in memory. */
export class BodyBudget {
  #kept = 0;

  take(size: number): boolean {
    if (this.#kept + size > MAX_KEPT_BYTES) return false;
    this.#kept += size;
    return true;
  }

  giveBack(size: number): void {
    this.#kept -= size;
  }
}
