import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionsBuilds } from '../../infra/bundle.ts';
import type * as entry from './schemas-entry.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundled-schemas-'));
let bundle: typeof entry;

beforeAll(async () => {
  const [options] = functionsBuilds(folder);
  await build({ ...options, entryPoints: { index: 'test/infra/schemas-entry.ts' } });
  bundle = createRequire(import.meta.url)(join(folder, 'index.js')) as typeof entry;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function post(body: object): Promise<unknown[]> {
  const event = {
    rawPath: '/v1/webhooks',
    rawQueryString: '',
    headers: { 'content-type': 'application/json' },
    requestContext: { requestId: 'r', http: { method: 'POST' } },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  };
  const { statusCode, body: text = '' } = await bundle.handler(event as never, {} as never);
  return [statusCode, JSON.parse(text)];
}

test('an endpoint may use any method of zod and work when it is bundled', async () => {
  const body = { name: ' ada ', tags: { a: 5, b: 10 }, size: 'wrong', site: 'https://example.com' };
  expect(await post(body)).toEqual([200, { data: { ...body, name: 'ADA', size: 1 } }]);
  const [status, problem] = await post({ ...body, name: ' bob ', tags: { a: 3 } });
  expect([status, problem]).toMatchObject([
    400,
    { details: [{ path: 'name' }, { path: 'tags.a' }, { path: 'tags.b' }] },
  ]);
  expect(await bundle.parseLater('no')).toMatchObject({ success: false });
});
