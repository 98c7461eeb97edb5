import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDiskFull } from '../../../../functions/runner/disk-use.ts';

let parent: string;
let directory: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'disk-use-'));
  directory = join(parent, 'tmp');
  mkdirSync(directory);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function makeFiles(path: string, count: number): void {
  for (let n = 0; n < count; n += 1) writeFileSync(join(path, String(n)), '');
}

/** A program that puts a link in the place of a folder, and the folder back, again and again. */
const SWAPS = `const fs = require('node:fs');
fs.writeSync(1, 'ready');
for (;;) {
  fs.renameSync('folder', 'away');
  fs.renameSync('link', 'folder');
  fs.renameSync('folder', 'link');
  fs.renameSync('away', 'folder');
}`;

const nested = (path: string, count: number) => join(path, ...Array.from({ length: count }, () => 'f'));

describe('the files of a source', () => {
  it('may be 10,000, with the folders', async () => {
    const inner = join(directory, 'a', 'b');
    mkdirSync(inner, { recursive: true });
    makeFiles(inner, 9_998);
    expect(await isDiskFull(directory)).toBe(false);

    writeFileSync(join(directory, 'one-more'), '');
    expect(await isDiskFull(directory)).toBe(true);
  });

  it('count with their blocks', async () => {
    writeFileSync(join(directory, 'sparse'), '');
    truncateSync(join(directory, 'sparse'), 1024 ** 3);
    expect(await isDiskFull(directory)).toBe(false);
  });

  it('may lie in 63 folders, one in the other', async () => {
    mkdirSync(nested(directory, 63), { recursive: true });
    expect(await isDiskFull(directory)).toBe(false);

    mkdirSync(nested(directory, 64));
    expect(await isDiskFull(directory)).toBe(true);
  });

  it.runIf(process.platform === 'linux')(
    'are not those of a link, nor of a folder that becomes one while it is counted',
    async () => {
      const elsewhere = join(parent, 'elsewhere');
      mkdirSync(nested(elsewhere, 64), { recursive: true });
      mkdirSync(nested(join(directory, 'folder'), 30), { recursive: true });
      symlinkSync(elsewhere, join(directory, 'link'));
      const swaps = spawn(process.execPath, ['-e', SWAPS], {
        cwd: directory,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(swaps.stdout, 'data');
      const responses = new Set<boolean>();
      for (let round = 0; round < 300; round += 1) responses.add(await isDiskFull(directory));
      const ended = once(swaps, 'exit');
      swaps.kill('SIGKILL');
      await ended;

      expect([...responses]).toEqual([false]);
    },
  );
});
