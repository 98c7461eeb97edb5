import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Spawner } from '../../../../../infra/embedded/isolation/spawner.ts';
import { buildProgram } from '../../../../../infra/embedded/programs.ts';
import type { ProcessOptions } from '../../../../../shared/runtime/processes.ts';
import { until } from '../../../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'spawner-test-'));
const program = join(folder, 'spawner.cjs');
let spawner: Spawner;
beforeAll(async () => {
  await buildProgram('spawner', program);
  spawner = new Spawner(program, { asked: 'process' });
});
afterAll(async () => {
  await spawner.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that runs this code. */
function options(code: string): ProcessOptions {
  const directory = mkdtempSync(join(folder, 'process-'));
  writeFileSync(join(directory, 'program.cjs'), code);
  return {
    owner: directory,
    args: [join(directory, 'program.cjs')],
    cwd: directory,
    env: {},
    readable: [],
    writable: [],
    memoryMb: 800,
    network: { allowPrivate: true, allowList: [], exceptions: [] },
    temporary: directory,
  };
}

test('no line is lost, however many processes start and write at once', async () => {
  const code = `require('fs').writeSync(4, 'first\\n'); require('fs').writeSync(2, 'error');`;
  const started = await Promise.all(Array.from({ length: 60 }, () => spawner.start(options(code))));
  const read = await Promise.all(started.map(({ lines, stderr }) => Promise.all([text(lines), text(stderr)])));

  expect(new Set(read.map((each) => each.join()))).toEqual(new Set(['first\n,error']));
});

test('an end is told with its exit code or its signal', async () => {
  const codes = ['process.exit(3)', `process.kill(process.pid, 'SIGKILL')`, 'setInterval(() => {}, 1000)'];
  const [exited, killed, endless] = await Promise.all(codes.map((code) => spawner.start(options(code))));
  endless?.kill();

  expect(await Promise.all([exited?.ended, killed?.ended, endless?.ended])).toEqual([
    { code: 3, signal: null },
    { code: null, signal: 'SIGKILL' },
    { code: null, signal: 'SIGKILL' },
  ]);
});

const ALLOCATE = `
  const buffers = [];
  try { while (buffers.length < 200) buffers.push(Buffer.alloc(10 << 20)); } catch {}
  require('fs').writeSync(4, String(buffers.length * 10));
`;

test('a process gets no more memory of its own than its limit, outside the heap too', async () => {
  const { lines } = await spawner.start(options(ALLOCATE));
  const mb = Number(await text(lines));

  // Node 24 and later count 510 MB for code that they have not compiled.
  expect(mb).toBeGreaterThan(150);
  expect(mb).toBeLessThan(800);
});

test('another spawner takes the place of one that was killed; its processes count as ended', async () => {
  const lost = await spawner.start(
    options(`require('fs').writeSync(4, String(process.ppid)); setInterval(() => {}, 1000)`),
  );
  const pid = await new Promise<number>((resolve) => lost.lines.once('data', (data) => resolve(Number(data))));
  process.kill(pid, 'SIGKILL');

  expect(await lost.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await text((await spawner.start(options(`require('fs').writeSync(4, 'again')`))).lines)).toBe('again');
});

test('a spawner that cannot start is tried again once a second, and starts are refused meanwhile', async () => {
  const [broken, tries] = [join(folder, 'broken.cjs'), join(folder, 'tries')];
  writeFileSync(broken, `require('fs').appendFileSync(${JSON.stringify(tries)}, '.')`);
  const other = new Spawner(broken, { asked: 'process' });
  onTestFinished(() => other.close());
  await until('it is tried four times', () => existsSync(tries) && readFileSync(tries, 'utf8').length >= 4);
  const since = performance.now();
  await expect(other.start(options(''))).rejects.toThrow('The process that starts components has ended.');
  await until('it is tried twice more', () => readFileSync(tries, 'utf8').length >= 6);
  expect(performance.now() - since).toBeGreaterThan(1_500);
});
