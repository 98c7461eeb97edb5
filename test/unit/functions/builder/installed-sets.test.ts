import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sweepInstalledSets } from '../../../../functions/builder/packages/installed-sets.ts';

describe('a sweep of installed sets', () => {
  const HOUR_MS = 3_600_000;

  function newFolder(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'installed-sets-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  const setTime = (path: string, ms: number) => utimesSync(path, ms / 1000, ms / 1000);

  function installed(folder: string, name: string, usedAt: number): string {
    const path = join(folder, name);
    mkdirSync(path);
    setTime(path, usedAt);
    return path;
  }

  function record(folder: string, name: string, content: { root: string; at: number }): void {
    writeFileSync(join(folder, name), JSON.stringify({ ...content, packages: [] }));
  }

  it('keeps one that a build may reuse, and removes the others', async () => {
    const folder = newFolder();
    const long = Date.now() - HOUR_MS;
    record(folder, 'used.json', { root: installed(folder, 'used-1', long), at: Date.now() });
    record(folder, 'old.json', { root: installed(folder, 'old-1', long), at: long });
    setTime(join(folder, 'old.json'), long);
    installed(folder, 'without-record', long);
    installed(folder, 'just-installed', Date.now());

    await sweepInstalledSets(folder);

    expect(readdirSync(folder).sort()).toEqual(['just-installed', 'used-1', 'used.json']);
  });

  it.each<[string, (path: string, folder: string) => void]>([
    ['is no JSON', (path) => writeFileSync(path, '{')],
    ['has another form', (path) => writeFileSync(path, '[]')],
    ['is a directory', (path) => mkdirSync(join(path, 'inner'), { recursive: true })],
    ['is a pipe', (path) => execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path])],
    ['is a link to a device', (path) => symlinkSync('/dev/zero', path)],
    [
      'is a link to a record',
      (path, folder) => {
        const elsewhere = newFolder();
        record(elsewhere, 'a.json', { root: join(folder, 'a-1'), at: Date.now() });
        symlinkSync(join(elsewhere, 'a.json'), path);
      },
    ],
    [
      'is larger than any',
      (path, folder) => {
        const text = JSON.stringify({ root: join(folder, 'a-1'), at: Date.now(), packages: [] });
        writeFileSync(path, text.padEnd(1024 ** 2 + 1));
      },
    ],
    [
      'does not fit into memory',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 40);
      },
    ],
  ])('goes on after a record that %s', async (_, make) => {
    const folder = newFolder();
    installed(folder, 'a-1', Date.now() - HOUR_MS);
    make(join(folder, 'a.json'), folder);
    const removed: string[] = [];

    await sweepInstalledSets(folder, (path) => void removed.push(path));

    expect(removed).toContain(join(folder, 'a-1'));
  });

  it('removes what has a time far ahead', async () => {
    const folder = newFolder();
    installed(folder, 'ahead', Date.now() + HOUR_MS);
    writeFileSync(join(folder, 'ahead.json'), '{}');
    setTime(join(folder, 'ahead.json'), Date.now() + HOUR_MS);

    await sweepInstalledSets(folder);

    expect(readdirSync(folder)).toEqual([]);
  });

  it('gets ahead of 2,000 files of any name, in a few rounds', async () => {
    const folder = newFolder();
    installed(folder, 'old-1', Date.now() - HOUR_MS);
    for (let n = 0; n < 2000; n += 1) {
      const path = join(folder, `${n}.${n % 2 === 0 ? 'lock' : 'new'}`);
      writeFileSync(path, '');
      setTime(path, Date.now() - HOUR_MS);
    }

    for (let round = 0; round < 3; round += 1) await sweepInstalledSets(folder);

    expect(readdirSync(folder)).toEqual([]);
  });
});
