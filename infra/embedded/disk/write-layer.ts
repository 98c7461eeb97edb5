import type { DiskValue } from './disk-value.ts';

/** The latest write of a key. */
export interface Write {
  /** `undefined` deletes the key. */
  value: DiskValue | undefined;
  /** The key exists in no older layer: its deletion leaves nothing. */
  isNew: boolean;
}

/** Writes by key. */
export type Writes = Map<string, Write>;

/** Adds the write to the map, which may change the object later. */
export function putIn(writes: Writes, key: string, write: Write): void {
  const known = writes.get(key);
  if (known) known.value = write.value;
  else writes.set(key, write);
}

export function deleteIn(writes: Writes, key: string): void {
  const known = writes.get(key);
  if (known?.isNew) writes.delete(key);
  else putIn(writes, key, { value: undefined, isNew: false });
}

/** Adds the later writes to the map. `below` is the next older layer. */
export function mergeIn(writes: Writes, later: Writes, below: Writes | undefined): void {
  for (const [key, write] of later) {
    if (write.value === undefined) deleteIn(writes, key);
    else {
      if (below?.has(key)) write.isNew = false;
      putIn(writes, key, write);
    }
  }
}
