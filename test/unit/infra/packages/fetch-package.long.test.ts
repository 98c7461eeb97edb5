import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { npmRegistry } from '../../../support/builder/registry.ts';
import { fetchPackage } from '../../../../infra/packages/fetch-package.ts';

const folder = mkdtempSync(join(tmpdir(), 'fetch-package-'));
let registry: Awaited<ReturnType<typeof npmRegistry>>;
let pinned: { name: string; version: string; integrity: string };
let cache: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  registry = await npmRegistry({ '@a/b': [{ version: '1.2.3', files: { 'x/y.txt': 'a file' } }] });
  const { versions } = (await (await fetch(`${registry.url}@a/b`)).json()) as {
    versions: Record<string, { dist: { integrity: string } }>;
  };
  pinned = { name: '@a/b', version: '1.2.3', integrity: versions['1.2.3']?.dist.integrity ?? '' };
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  cache = mkdtempSync(join(folder, 'cache-'));
  environment = {
    ...process.env,
    npm_config_registry: registry.url,
    npm_config_cache: mkdtempSync(join(folder, 'npm-')),
  };
});

test('fetches the files once, also for several callers at the same time', async () => {
  const fetched = await Promise.all([1, 2, 3].map(() => fetchPackage(pinned, { cache, environment })));
  expect(new Set(fetched)).toEqual(new Set([join(cache, '@a-b-1.2.3')]));
  expect(readFileSync(join(cache, '@a-b-1.2.3', 'x', 'y.txt'), 'utf8')).toBe('a file');
  expect(readdirSync(cache)).toEqual(['@a-b-1.2.3']);
  const requestCount = registry.requests.length;
  await fetchPackage(pinned, { cache, environment });
  expect(registry.requests).toHaveLength(requestCount);
});

test('refuses an archive that is not the pinned one, and keeps nothing of it', async () => {
  const other = { ...pinned, integrity: 'sha512-other' };
  await expect(fetchPackage(other, { cache, environment })).rejects.toThrow(
    /^The package @a\/b@1\.2\.3 is not the pinned one: its hash is sha512-/,
  );
  expect(readdirSync(cache)).toEqual([]);
});

test('gives the reason of a failed fetch in a sentence', async () => {
  const away = { ...environment, npm_config_registry: 'http://127.0.0.1:1/' };
  await expect(fetchPackage(pinned, { cache, environment: away })).rejects.toThrow(
    /^The package @a\/b@1\.2\.3 could not be fetched from the registry: .*ECONNREFUSED/,
  );
  const absent = { ...pinned, version: '9.9.9' };
  await expect(fetchPackage(absent, { cache, environment })).rejects.toThrow(
    'The package @a/b@9.9.9 could not be fetched from the registry: No matching version found for @a/b@9.9.9.',
  );
  expect(readdirSync(cache)).toEqual([]);
});
