import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { refuseClosedFolder } from '../../../../../infra/embedded/isolation/temporary-folder.ts';

const folder = mkdtempSync('/tmp/temporary-folder-');
const inner = join(folder, 'inner');
mkdirSync(inner);
chmodSync(inner, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a temporary folder below one that other users cannot enter is refused in a sentence', () => {
  chmodSync(folder, 0o700);
  expect(() => refuseClosedFolder(inner)).toThrow(
    `TMPDIR=${inner} cannot be used: the users of components cannot pass through ${folder}, whose mode is 700. ` +
      'Set TMPDIR to a directory that every user may enter, such as /tmp.',
  );
});

test('a temporary folder that does not exist is refused in a sentence', () => {
  expect(() => refuseClosedFolder(join(folder, 'none'))).toThrow('there is no such directory');
});

test('a folder that other users can pass through is accepted, though they cannot list it', () => {
  chmodSync(folder, 0o711);
  expect(() => refuseClosedFolder(inner)).not.toThrow();
});
