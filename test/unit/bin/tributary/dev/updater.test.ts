import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Api } from '../../../../../bin/tributary/session/api.ts';
import { createUpdater } from '../../../../../bin/tributary/dev/updater.ts';
import { CommandFailure } from '../../../../../bin/tributary/failures.ts';
import { readComponent } from '../../../../../bin/tributary/input/local-component.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-updater-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const entry = join(folder, 'entry.mjs');
const imported = join(folder, 'name.mjs');
const save = (version: number) => {
  writeFileSync(entry, `import { name } from './name.mjs';\nexport default { name, version: '0.0.${version}' };\n`);
};

let lines: string[];
let failures: Error[];
let updater: ReturnType<typeof createUpdater>;
beforeEach(async () => {
  [lines, failures] = [[], []];
  writeFileSync(imported, "export const name = 'A';\n");
  save(1);
  const api = {
    send: () => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve({});
    },
  };
  updater = createUpdater({
    // The updater sends, and nothing else.
    api: api as unknown as Api,
    print: ({ type }, text) => lines.push(`${type} ${text}`.trimEnd()),
    path: '/sources/dc_1',
    options: { entry, shown: 'entry.mjs' },
    started: await readComponent(entry, 'entry.mjs'),
  });
});

test('an import that vanished is a broken line, and its return is an update', async () => {
  rmSync(imported);
  save(2);
  expect(await updater.update()).toMatchObject({ isBroken: true });
  writeFileSync(imported, "export const name = 'B';\n");
  expect(await updater.update()).toMatchObject({ isBroken: false });
  expect(lines).toEqual([expect.stringMatching(/^broken entry\.mjs:1:\d+: .*name\.mjs/), 'updated']);
});

test('a save that adds a required prop names the option that gives it a value', async () => {
  failures.push(
    new CommandFailure(1, {
      error: 'configured_props.a b is required.',
      code: 'invalid_request',
      details: [{ path: 'configured_props.a b', message: 'is required' }],
    }),
  );
  save(2);
  expect(await updater.update()).toMatchObject({ isBroken: true });
  expect(lines).toEqual(["broken The new code needs a b: give a default, or start dev again with --prop 'a b=…'."]);
});

test('a save after an unexpected failure is sent', async () => {
  failures.push(new Error('a defect'));
  save(2);
  await expect(updater.update()).rejects.toThrow('a defect');
  save(3);
  await updater.update();
  expect(lines).toEqual(['updated']);
});
