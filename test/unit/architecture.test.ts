import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * What a folder may import besides itself: imports point down. This table is the architecture; docs/architecture.md explains it.
 * The longest matching prefix names a file's layer.
 */
const below = {
  domain: ['shared/domain'],
  store: ['shared/store', 'shared/domain'],
  aws: ['shared/aws', 'shared/domain'],
};
const MAY_IMPORT: Record<string, readonly string[]> = {
  'shared/domain': below.domain,
  'shared/store': below.store,
  'shared/aws': below.aws,
  'shared/component': ['shared/component', ...below.store, ...below.aws],
  'shared/lambda': ['shared/lambda', 'shared/component', ...below.store, ...below.aws],
  functions: ['functions', 'shared/lambda', 'shared/component', ...below.store, ...below.aws],
  infra: [
    'infra',
    'shared/store/table.ts',
    'shared/lambda/gateway-routes.ts',
    'shared/lambda/environment.ts',
    'shared/domain/limits.ts',
  ],
  'infra/embedded': ['infra/embedded'],
  bin: ['bin', 'infra', 'shared'],
};

const layers = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length);
const files = ['bin', 'infra', 'functions', 'shared'].flatMap((top) =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(top, path)),
);
const source = (file: string) => readFileSync(file, 'utf8');
const imports = (file: string) =>
  [...source(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier);

describe('imports point down', () => {
  test.each(files)('%s keeps to its layer', (file) => {
    const layer = layers.find((name) => file.startsWith(`${name}/`)) ?? '';
    const allowed = MAY_IMPORT[layer] ?? [];
    const own = imports(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => normalize(join(dirname(file), specifier)));
    const wrong = own.filter((path) => !allowed.some((ok) => path === ok || path.startsWith(`${ok}/`)));
    expect(wrong, `${layer} may import ${allowed.join(', ')}: move the code down, or pass it in`).toEqual([]);
  });

  test.each(files.filter((file) => file.startsWith('shared/domain/')))('%s is pure', (file) => {
    const outside = imports(file).filter((specifier) => !specifier.startsWith('.'));
    const impure = outside.filter((specifier) => !['zod', 'node:crypto', 'croner'].includes(specifier));
    expect(impure, 'the domain imports zod and itself; clocks, ids and clients are passed in').toEqual([]);
    expect(source(file), 'the clock is passed in').not.toMatch(
      /Date\.now\(|new Date\(\)|Math\.random|process\.[a-z]/,
    );
  });
});

describe('one way to write', () => {
  test.each(files)('%s has no barrel, no utils, no whole zod', (file) => {
    expect(file).not.toMatch(/\/utils?(\.ts|\/)/);
    expect(source(file)).not.toMatch(/export \* from/);
    expect(source(file)).not.toMatch(/import \{ z \} from 'zod'/);
  });

  test.each(files.filter((file) => /^(functions|shared)\//.test(file)))(
    '%s does not know on which cloud it runs, nor that it is tested',
    (file) => {
      expect(source(file)).not.toMatch(/embedded|isLocal|NODE_ENV|VITEST/i);
    },
  );

  test('only the environment module reads the environment, and the runner what its children need for TLS', () => {
    const readers = files
      .filter((file) => /^(functions|shared)\//.test(file) && /process\.env/.test(source(file)))
      .filter((file) => !file.startsWith('shared/component/') && !/\/child\b/.test(file));
    expect(readers.sort()).toEqual(['functions/runner/index.ts', 'shared/lambda/environment.ts']);
  });
});
