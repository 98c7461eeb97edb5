import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'debug-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program of this checkout, its output so far, and its end. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const program = { output: '', hasEnded: false, type: (line: string) => child.stdin.write(`${line}\n`) };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (program.output += text));
  child.once('close', () => (program.hasEnded = true));
  onTestFinished(() => void child.kill());
  return program;
}

test('npm run debug-component stops at a `debugger` statement of a component', async () => {
  const file = join(folder, 'component.mjs');
  writeFileSync(
    file,
    `export default { name: 'C', version: '1', run(event) { const n = 41; debugger; this.$emit({ n: n + event.a }); } };`,
  );
  const run = start(['--import', 'tsx', 'test/programs/debug/debug-component.ts', file, '{"a":1}']);
  const [, address = ''] = await until('the process waits', () => /node inspect (\S+)\n/.exec(run.output) ?? false);
  const debug = start(['inspect', address]);
  await until('the debugger is attached', () => debug.output.includes('Break on start'));
  debug.type('cont');
  await until('the statement stops the run', () => debug.output.includes('debugger;'));
  debug.type("exec('n')");
  await until('the value is shown', () => debug.output.includes('debug> 41'));
  debug.type('cont');
  await until('the run ends', () => run.hasEnded);
  expect(run.output).toMatch(/"n": 42/);
});

test('npm run print-items prints the items of a partition of the service that runs', async () => {
  const env = { DATA_DIR: join(folder, 'data'), PORT: '0', INGRESS_PORT: '0' };
  const service = start(['bin/tributary.mjs', 'start'], env);
  await until('the service is ready', () => service.output.includes('Ready at'));
  const print = start(['--import', 'tsx', 'test/programs/debug/print-items.ts', 'USERNAME#admin'], env);
  await until('the items are printed', () => print.hasEnded);
  expect(print.output).toMatch(/^\{"pk":"USERNAME#admin","sk":"USERNAME",.*\}$/m);
});
