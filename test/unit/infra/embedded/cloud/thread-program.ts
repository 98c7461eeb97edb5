import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildThread } from '../../../../../infra/embedded/lambda/thread-program.ts';

/** The program of the second thread, for all tests of a file. The path exists when the tests run. */
export function threadProgram(): () => string {
  const directory = mkdtempSync(join(tmpdir(), 'thread-'));
  const program = join(directory, 'thread.cjs');
  beforeAll(() => buildThread(program));
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return () => program;
}
