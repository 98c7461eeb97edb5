import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Capacity } from '../../../../../infra/embedded/isolation/capacity.ts';
import { Spawner } from '../../../../../infra/embedded/isolation/spawner.ts';
import { until } from '../../../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'lost-pipes-'));
const program = join(folder, 'spawner.cjs');
const messages = join(folder, 'messages');
// It starts nothing, as one whose pipes were lost on their way, and writes down what it is told.
writeFileSync(
  program,
  `const { appendFileSync } = require('fs');
   process.on('message', ({ kind, id }) => appendFileSync(${JSON.stringify(messages)}, kind + ' ' + id + '\\n'));
   process.stdin.on('end', () => process.exit()).resume();
   process.send({ kind: 'ready', level: 'process' });`,
);
const told = () => readFileSync(messages, { encoding: 'utf8', flag: 'a+' });
const options = {
  ...{ owner: 'dc_1', args: [], cwd: folder, env: {}, readable: [], writable: [], memoryMb: 1_000, temporary: folder },
  network: { allowPrivate: true, allowList: [], exceptions: [] },
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a process whose pipes do not arrive is killed, and its start fails', async () => {
  const spawner = new Spawner(program, { asked: 'process' }, new Capacity(1), 300);
  await spawner.level;

  await expect(spawner.start(options)).rejects.toThrow('The process was not ready in time.');
  await until('it is killed', () => told().endsWith('start 1\nkill 1\n'));
  // Its permit is free again.
  await expect(spawner.start(options)).rejects.toThrow('The process was not ready in time.');
  await spawner.close();
});
