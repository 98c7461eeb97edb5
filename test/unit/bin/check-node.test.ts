import { transform } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };

const program = 'bin/check-node.cjs';
const minimum = manifest.engines.node.replace('>=', '');

/** Runs the check as another Node would. */
function checkAs(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); require('./${program}');`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--eval', pretend], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('a Node below the minimum', () => {
  test.each(['20.18.3', '18.20.4', '16.20.2', '9.11.2'])('%s is refused in one sentence', (version) => {
    expect(checkAs(version)).toEqual({
      status: 2,
      output: `Tributary needs Node ${minimum} or later; this is Node ${version}.\n`,
    });
  });
});

test.each(['20.19.0', '20.20.2', '22.0.0', '100.1.0'])('Node %s is taken without a word', (version) => {
  expect(checkAs(version)).toEqual({ status: 0, output: '' });
});

test('the check is written in syntax that every Node reads', async () => {
  const { warnings } = await transform(readFileSync(program, 'utf8'), { target: 'es5', format: 'cjs' });
  expect(warnings).toEqual([]);
});

test.each(['start', 'admin'] as const)('npm run %s makes it first', (script) => {
  expect(manifest.scripts[script]).toMatch(/^node bin\/check-node\.cjs && exec /);
});
