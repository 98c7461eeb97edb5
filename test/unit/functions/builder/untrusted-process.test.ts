import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Workbench, workbench } from './workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await workbench();
});
afterAll(() => bench.close());

test.each([
  ['a line that is no JSON', `'garbage\\n'`],
  ['a line that is no response', `'{"kind":"built"}\\n'`],
  ['a line without an end', `'x'.repeat(1e7)`],
])('a build process that writes %s fails its build and is ended', async (_, text) => {
  writeFileSync(
    join(bench.asset.root, 'child.js'),
    `const fs = require('node:fs'); fs.readSync(3, Buffer.alloc(1)); for (;;) fs.writeSync(4, ${text});`,
  );

  expect(await bench.failure({ code: 'export default {}' })).toBe(
    'the build process wrote something else than a response',
  );
});
