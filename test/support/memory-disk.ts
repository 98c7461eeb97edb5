import { setImmediate } from 'node:timers/promises';
import type { Disk } from '../../infra/embedded/disk/disk.ts';
import { type DiskValue, valueBytes, valueText } from '../../infra/embedded/disk/disk-value.ts';

/** A disk whose rows are in memory only. Like a write to a file, a commit takes a turn of the event loop. */
export function memoryDisk(): Disk {
  const kept = new Map<string, string>();
  const put = (key: string, value: DiskValue) => void kept.set(key, valueText(value));
  const keysOf = (prefix: string) => [...kept.keys()].filter((key) => key.startsWith(prefix)).sort();
  return {
    problem: undefined,
    get: (key) => kept.get(key),
    getBytes: (key) => {
      const text = kept.get(key);
      return text === undefined ? undefined : valueBytes(text);
    },
    put,
    putNew: put,
    del: (key) => void kept.delete(key),
    own: () => undefined,
    commit: () => setImmediate(),
    commitRows: () => setImmediate(),
    commitLater: () => undefined,
    entries: async function* (prefix) {
      for (const key of keysOf(prefix)) yield [key, kept.get(key) ?? ''];
    },
    keys: async function* (prefix) {
      yield* keysOf(prefix);
    },
    snapshot: () => Promise.reject(new Error('This disk has no snapshots.')),
    close: () => Promise.resolve(),
  };
}
