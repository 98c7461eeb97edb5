import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runCommand, startCommand } from '../../support/command.ts';
import { Scene } from '../../support/scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-files-'));
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
  mkdirSync(join(folder, 'sources'));
  mkdirSync(join(folder, 'common'));
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (path: string, code: string) => {
  writeFileSync(join(folder, path), code);
};
const json = async (...argv: string[]) => {
  const { code, out, error } = await runCommand([...argv, '--json'], { env: scene.env, cwd: folder });
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out) as Record<string, unknown>;
};

test('a file is sent with the files that it imports relatively, and stacks name them', async () => {
  write(
    'common/text.ts',
    "export const text: string = 'hello';\nexport function fail(): never {\n  throw new Error('boom');\n}\n",
  );
  write(
    'sources/entry.ts',
    `import { fail, text } from '../common/text';
export default { name: 'Entry', key: 'entry', version: '0.0.1', run(event: { fail?: boolean }) { if (event.fail) fail(); this.$emit({ text }); } };`,
  );
  expect(await json('sources', 'create', 'sources/entry.ts')).toMatchObject({ name: 'entry' });
  const { emits } = (await json('sources', 'run', 'entry')) as { emits: { event: unknown }[] };
  expect(emits).toMatchObject([{ event: { text: 'hello' } }]);
  await runCommand(['sources', 'run', 'entry', '--data', '{"fail":true}'], { env: scene.env });
  expect((await runCommand(['errors', 'entry'], { env: scene.env })).out).toContain('common/text.ts:3');
});

test('dev updates the source when an imported file is saved', async () => {
  write('part.mjs', "export const text = 'one';\n");
  write(
    'whole.mjs',
    `import { text } from './part.mjs';
export default { name: 'Whole', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run() { this.http.respond({ status: 200, body: text }); } };`,
  );
  const command = startCommand(['dev', 'whole.mjs', '--json'], { env: scene.env, cwd: folder });
  onTestFinished(async () => {
    command.interrupt();
    await command.ended;
  });
  const ready = JSON.parse(await command.line((line) => line.includes('ready'))) as { endpoint_url: string };
  const respond = async () => (await fetch(ready.endpoint_url)).text();
  expect(await respond()).toBe('one');
  write('part.mjs', "export const text = 'two';\n");
  await command.line((line) => line.includes('updated'));
  expect(await respond()).toBe('two');
});

test('a save that imports a missing file is broken until the file is there', async () => {
  const code = (more: string) => `${more}
export default { name: 'Lacking', version: '0.0.1', run() {} };`;
  write('lacking.mjs', code(''));
  const command = startCommand(['dev', 'lacking.mjs', '--json'], { env: scene.env, cwd: folder });
  onTestFinished(async () => {
    command.interrupt();
    await command.ended;
  });
  await command.line((line) => line.includes('ready'));
  write('lacking.mjs', code("import './later.mjs';"));
  expect(await command.line((line) => line.includes('"type":"broken"'))).toContain('./later.mjs');
  write('later.mjs', 'export const later = true;\n');
  await command.line((line) => line.includes('"type":"updated"'));
});
