import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PIPEDREAM } from '../../../support/pipedream.ts';

/** The runtime knows no component: no key, upstream host or package of the 243 components occurs in it. */
const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .map((path) => join(folder, path));
const components = filesIn(join(PIPEDREAM, 'components'), /\.js$/).map((file) => readFileSync(file, 'utf8'));
const own = ['functions', 'shared'].flatMap((folder) =>
  filesIn(folder, /\.(?:ts|js|mjs|json)$/).map((file) => ({
    file,
    // Comments cite pages of documentation.
    text: readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''),
  })),
);
const found = (pattern: RegExp) => [
  ...new Set(components.flatMap((text) => [...text.matchAll(pattern)].map(([, one = '']) => one))),
];
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const mentions = (texts: readonly string[], isExcepted: (file: string, text: string) => boolean) =>
  own.flatMap(({ file, text }) =>
    texts
      .filter((one) => new RegExp(`(?<![\\w.-])${escaped(one)}(?![\\w-])`, 'i').test(text))
      .filter((one) => !isExcepted(file, one))
      .map((one) => `${file}: ${one}`),
  );

test('no key of a component occurs in functions/ or shared/', () => {
  const keys = found(/^\s*key:\s*["']([\w-]+)["']/gm);
  expect(keys.length).toBeGreaterThan(200);
  expect(mentions(keys, () => false)).toEqual([]);
});

test('no host that only components use occurs in functions/ or shared/, but GitHub’s in the fetcher and in an example, and those of OAuth providers', () => {
  const hosts = found(/https?:\/\/((?:[\w-]+\.)+[a-z]{2,})/g);
  expect(hosts).toContain('api.github.com');
  const isFetcher = (file: string, host: string) =>
    (file === 'functions/builder/files/github.ts' && host.endsWith('github.com')) ||
    (file === 'shared/domain/component/starting-points.ts' && host === 'api.github.com') ||
    file.startsWith('shared/domain/oauth/providers/');
  expect(mentions(hosts, isFetcher)).toEqual([]);
});

test('no package that only components use is imported in functions/ or shared/, but what the platform module stands on', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const packages = found(/require\(["']((?:@[\w.-]+\/)?[\w-][\w.-]*)["']\)/g).filter(
    (name) => !builtinModules.includes(name),
  );
  expect(packages).toContain('lodash');
  const imported = own.flatMap(({ file, text }) =>
    packages
      .filter((name) => !(name in { ...dependencies, ...devDependencies }))
      .filter((name) => new RegExp(`(?:from|import|require)\\s*\\(?\\s*["']${escaped(name)}["'/]`).test(text))
      .map((name) => `${file}: ${name}`),
  );
  expect(imported).toEqual([]);
});
