import { type Disk } from '../../disk/disk.ts';
import { parseItem } from './item-text.ts';
import { tableKeys, type TableSpec } from '../table-spec.ts';
import type { Attributes } from '../values/value.ts';

/** The parts of a table's description that determine its keys on disk. */
function layoutOf(spec: TableSpec): { keys: string; rest: string } {
  const { hash, range } = tableKeys(spec);
  return {
    keys: JSON.stringify([hash, range]),
    // The empty list is that of the indexes, which a table could once have.
    rest: JSON.stringify([[], spec.timeToLiveAttribute ?? null]),
  };
}

/** Refuses data with another key schema. Rewrites the keys if the time to live has changed. */
export async function checkTableOnDisk(
  disk: Disk,
  prefix: string,
  spec: TableSpec,
  diskKeyOf: (item: Attributes) => string,
): Promise<void> {
  const layoutKey = prefix.slice(0, -1);
  const layout = layoutOf(spec);
  const stored = disk.get(layoutKey);
  if (stored !== undefined) {
    const { keys, rest } = JSON.parse(stored) as ReturnType<typeof layoutOf>;
    if (keys !== layout.keys) {
      throw new Error(
        `Table ${spec.name} has data with the key schema ${keys}, but is now described with ${layout.keys}.`,
      );
    }
    if (rest === layout.rest) return;
    for await (const [key, text] of disk.entries(prefix)) {
      const renewed = diskKeyOf(parseItem(text));
      if (renewed === key) continue;
      disk.del(key);
      disk.put(renewed, text);
    }
  }
  disk.put(layoutKey, JSON.stringify(layout));
  await disk.commit();
}
