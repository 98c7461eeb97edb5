import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildProgram } from '../../../../../infra/embedded/programs.ts';

/** The program of the second thread, for all tests of a file. The path exists when the tests run. */
export function threadProgram(): () => string {
  const directory = mkdtempSync(join(tmpdir(), 'thread-'));
  const program = join(directory, 'thread.cjs');
  beforeAll(() => buildProgram('thread', program));
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return () => program;
}
