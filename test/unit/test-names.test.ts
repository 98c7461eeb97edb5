import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableIn } from '../support/doc-table.ts';

/** The endings of docs/contributing-tests.md. `.long` and `.both` may come before one of the others. */
const COMMANDS = ['long', 'both'];
const OTHERS = ['faults', 'alone', 'mocked', 'cdk', 'last', 'slow'];
const NAME = new RegExp(`^[\\w-]+(?:\\.(?:${COMMANDS.join('|')}))?(?:\\.(?:${OTHERS.join('|')}))?\\.test\\.ts$`);
/** The modules that open what the set-up of the stack has synthesised. */
const STACK = ['assembly', 'cloud', 'share-assembly'].map((name) => `test/support/${name}.ts`);

const pathsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const folders = readdirSync('test');
const tests = pathsIn('test').filter((path) => path.endsWith('.test.ts'));
const baseOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The modules of the repository that the code of a file imports; types do not count. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from '(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/gm)]
    .map(([, named = '', loaded = named]) => normalize(join(dirname(file), loaded)))
    .filter((path) => existsSync(path));
}

/** The way of imports from a file to one of the modules, if there is one. */
function wayTo(modules: readonly string[], file: string): string[] {
  const from = new Map<string, string | undefined>([[file, undefined]]);
  for (const reached of from.keys()) {
    if (modules.includes(reached)) {
      const way: string[] = [];
      for (let step: string | undefined = reached; step !== undefined; step = from.get(step)) way.unshift(step);
      return way;
    }
    for (const next of importsOf(reached)) if (!from.has(next)) from.set(next, reached);
  }
  return [];
}

test('docs/contributing-tests.md describes every folder of test/, at most eight, and every ending', () => {
  const named = tableIn('docs/contributing-tests.md', 'Where a test goes').map(([name = '']) =>
    name.replaceAll('`', ''),
  );
  const endings = ['.test.ts', ...[...COMMANDS, ...OTHERS].map((ending) => `.${ending}.test.ts`)];
  expect(named.sort()).toEqual([...endings, ...folders.map((name) => `test/${name}/`)].sort());
  expect(folders.length).toBeLessThanOrEqual(8);
});

describe('the name of a test file', () => {
  test('has known endings', () => {
    expect(tests.filter((path) => !NAME.test(baseOf(path)))).toEqual([]);
  });

  test('says `.faults` in test/e2e only, where `.both` means nothing', () => {
    const isEndToEnd = (path: string) => path.startsWith('test/e2e/');
    expect(tests.filter((path) => path.includes('.faults.') && !isEndToEnd(path))).toEqual([]);
    expect(tests.filter((path) => path.includes('.both.') && isEndToEnd(path))).toEqual([]);
  });

  test.each(['vitest.config.ts', 'vitest.long.config.ts'])('stands nowhere in %s', (config) => {
    const code = readFileSync(config, 'utf8').replaceAll(
      /^import .*$|\bname: '.*?'|^\s*\/\/.*$|^\s*\/\*\*[^]*?\*\/$/gm,
      '',
    );
    const globs = [...code.matchAll(/'(.*?)'|`(.*?)`/g)].map(([text]) =>
      text
        .replaceAll(/\$\{[A-Z]+\}/g, '')
        .replace(/test\/[\w/]+(?=\/\*\*)/, (folder) => (existsSync(folder) ? '' : folder)),
    );
    const words = globs.flatMap((glob) => glob.match(/[\w$-]+/g) ?? []);
    expect(words.length).toBeGreaterThan(10);
    expect(words.filter((word) => ![...folders, ...COMMANDS, ...OTHERS, 'test', 'ts'].includes(word))).toEqual([]);
  });
});

test('a unit test needs no synthesised stack', () => {
  const ways = tests
    .filter((path) => path.startsWith('test/unit/'))
    .map((path) => wayTo(STACK, path).join(' -> '))
    .filter((way) => way !== '');
  expect(ways, 'move the test out of test/unit, or use test/support/event-table.ts').toEqual([]);
});
