import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { functionsBuilds } from '../../../infra/bundle.ts';
import { outcomes } from './zod-outcomes.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundled-zod-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** In a process of its own: copies of zod in one process share their settings. */
const fromBundle = <T extends z.ZodType>(name: string, schema: T): z.output<T> =>
  schema.parse(
    JSON.parse(
      execFileSync(process.execPath, ['-e', `console.log(JSON.stringify(require('./index.js').${name}()))`], {
        cwd: folder,
        encoding: 'utf8',
      }),
    ),
  );

beforeAll(async () => {
  const [{ plugins, ...options } = expect.fail('nothing is built')] = functionsBuilds(folder);
  await build({
    ...options,
    plugins: plugins ?? [],
    entryPoints: { index: 'test/unit/infra/zod-outcomes.ts' },
  });
});

test('bundled schemas come to the same data and the same issues as any', () => {
  const [bundled, whole] = [fromBundle('outcomes', z.array(z.string())), outcomes()];
  expect(whole.length).toBeGreaterThan(800);
  expect(bundled).toEqual(whole);
});

test('what bundled schemas cannot do, they refuse', () => {
  const Refusals = z.object({ waiting: z.array(z.string()), listed: z.string(), method: z.string() });
  const { waiting, listed, method } = fromBundle('refusals', Refusals);
  expect(waiting).toEqual(Array(2).fill(expect.stringContaining('Promise during synchronous parse')));
  expect(listed).toContain("left out of the functions' bundles (infra/slim)");
  expect(method).toContain('includes is not a function');
});
