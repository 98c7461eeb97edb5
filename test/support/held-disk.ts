import type { Disk } from '../../infra/embedded/disk/disk.ts';

/** A disk whose commits end when the test says so. */
export interface HeldDisk extends Disk {
  problem: Disk['problem'];
  release(): void;
}

export function heldDisk(disk: Disk): HeldDisk {
  let releaseAll: (() => void)[] = [];
  const held = () => new Promise<void>((resolve) => releaseAll.push(resolve));
  return {
    problem: undefined,
    get: (key) => disk.get(key),
    getBytes: (key) => disk.getBytes(key),
    put: (key, value) => {
      disk.put(key, value);
    },
    putNew: (key, value) => {
      disk.putNew(key, value);
    },
    del: (key) => {
      disk.del(key);
    },
    own: (rows) => {
      disk.own(rows);
    },
    entries: (prefix) => disk.entries(prefix),
    keys: (prefix) => disk.keys(prefix),
    snapshot: () => disk.snapshot(),
    close: () => disk.close(),
    commit: held,
    commitRows: held,
    commitLater: () => undefined,
    release() {
      for (const release of releaseAll) release();
      releaseAll = [];
    },
  };
}
