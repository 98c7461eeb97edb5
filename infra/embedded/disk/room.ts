import type { Disk } from './disk.ts';
import type { DiskSpace } from './disk-space.ts';

const LOW =
  'Less than 5 % of the disk of the data directory is free: new events, uploads and other new data are refused. Free space on it.';
const NEARLY_FULL = `${LOW} Components do not run.`;

/** Whether the data directory has room for new data. */
export class Room {
  readonly #disk: Pick<Disk, 'problem'>;
  readonly #space: Pick<DiskSpace, 'isLow' | 'isNearlyFull'>;

  constructor(disk: Pick<Disk, 'problem'>, space: Pick<DiskSpace, 'isLow' | 'isNearlyFull'>) {
    this.#disk = disk;
    this.#space = space;
  }

  /**
   * Whether new data is taken. While writes fail, the changes that were not written are in memory: no new ones may
   * come.
   */
  get isForNewData(): boolean {
    return this.#disk.problem === undefined && !this.#space.isLow;
  }

  /** Whether components may run, which store what they emit. */
  get isForRuns(): boolean {
    return this.#disk.problem === undefined && !this.#space.isNearlyFull;
  }

  /** One sentence for the operator; undefined when there is enough room. */
  get problem(): string | undefined {
    if (this.#space.isNearlyFull) return NEARLY_FULL;
    return this.#space.isLow ? LOW : undefined;
  }
}
