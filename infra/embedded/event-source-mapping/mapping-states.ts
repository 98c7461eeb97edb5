import type { Disk } from '../disk/disk.ts';

const keyOf = (id: string) => `e/${id}`;
const DISABLED = 'disabled';

/** The facts of a mapping that an API call shows. */
export interface MappingNames {
  readonly queueArn: string;
  readonly functionName: string;
}

/** Tells which mappings are enabled. The disk knows those that were disabled, for the next start. */
export class MappingStates {
  readonly #disk: Disk;
  readonly #mappings: ReadonlyMap<string, MappingNames>;
  readonly #disabled: Set<string>;

  constructor(disk: Disk, mappings: ReadonlyMap<string, MappingNames>) {
    this.#disk = disk;
    this.#mappings = mappings;
    this.#disabled = new Set([...mappings.keys()].filter((id) => disk.get(keyOf(id)) === DISABLED));
  }

  find(id: string): MappingNames | undefined {
    return this.#mappings.get(id);
  }

  isEnabled(id: string): boolean {
    return !this.#disabled.has(id);
  }

  /** Resolves when the next start knows it, too. */
  async setEnabled(id: string, isEnabled: boolean): Promise<void> {
    if (isEnabled) {
      this.#disabled.delete(id);
      this.#disk.del(keyOf(id));
    } else {
      this.#disabled.add(id);
      this.#disk.put(keyOf(id), DISABLED);
    }
    await this.#disk.commit();
  }
}
