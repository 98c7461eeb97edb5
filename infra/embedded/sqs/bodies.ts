/** Bodies of short queues stay in memory; past this many bytes in all, new ones are left on disk. */
const KEPT_BYTES = 64 << 20;

export class BodyBudget {
  private kept = 0;

  take(size: number): boolean {
    if (this.kept + size > KEPT_BYTES) return false;
    this.kept += size;
    return true;
  }

  giveBack(size: number): void {
    this.kept -= size;
  }
}
