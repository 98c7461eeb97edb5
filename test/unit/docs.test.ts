import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { checks } from '../../bin/admin/doctor/doctor-stack.ts';
import { Environment } from '../../bin/settings.ts';
import { executionsOf } from '../../infra/concurrency.ts';
import { groups, Stage, StageSettings } from '../../infra/stage.ts';
import { tableIn } from '../support/doc-table.ts';
import { type ErrorCode, errorCodes, ServiceError } from '../../shared/domain/errors.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { problemResponse } from '../../shared/http/problem.ts';
import type { Route } from '../../shared/http/route.ts';
import { routes } from '../../shared/http/routes.ts';
import * as platform from '../../shared/runtime/platform/platform.ts';

const entriesOf = (folder: string, recursive = true) =>
  readdirSync(folder, { recursive, encoding: 'utf8' }).map((name) => join(folder, name));
const textOf = (page: string) => readFileSync(page, 'utf8');

const pages = ['README.md', ...entriesOf('docs', false).filter((path) => path.endsWith('.md'))];
const tops = ['bin', 'docs', 'functions', 'infra', 'shared', 'test'];
const entries = [...tops, ...tops.flatMap((top) => entriesOf(top))];

/**
 * A path that begins with a folder of this repository and ends in an extension or a slash. `<name>` in it stands for
 * any name.
 */
const PATH = new RegExp(`(?<![\\w/.$-])(?:${tops.join('|')})/(?:[\\w.<>/-]*(?:\\.[a-z]+|/))?(?![\\w<])`, 'g');
const pathsIn = (page: string) => [...new Set(textOf(page).match(PATH))];

function exists(path: string): boolean {
  const names = path.replace(/\/$/, '').split(/<[\w-]+>/);
  const pattern = new RegExp(`^${names.map((name) => name.replaceAll('.', '\\.')).join('[^/]+')}$`);
  return entries.some((entry) => pattern.test(entry));
}

/** The targets of links within the repository. */
const linksIn = (page: string) =>
  [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^\w+:/.test(target));

/** Anchors that GitHub makes of headings, and those that the page writes itself. */
function anchorsOf(page: string): string[] {
  const headings = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const written = [...textOf(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [...headings, ...written];
}

describe.each(pages)('%s', (page) => {
  test('names only files and folders that exist', () => {
    expect(pathsIn(page).filter((path) => !exists(path))).toEqual([]);
  });

  test('links only to pages and headings that exist', () => {
    const broken = linksIn(page).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});

/** The folders of the tree, each with those inside it, but for `docs/` and `test/`. */
const layout = () =>
  tops.flatMap((top) => {
    const inside = ['docs', 'test'].includes(top) ? [] : readdirSync(top, { withFileTypes: true });
    return [top, ...inside.filter((entry) => entry.isDirectory()).map(({ name }) => `${top}/${name}`)];
  });

test('docs/contributing.md has a row for each folder of the tree', () => {
  const named = tableIn('docs/contributing.md', 'The layout').map(([name = '']) => name);
  expect(named.toSorted()).toEqual(
    layout()
      .map((path) => `\`${path}/\``)
      .toSorted(),
  );
});

test('npm run dev watches the folders of which npm start makes its build', () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(textOf('package.json')));
  const watched = [...(scripts['dev'] ?? '').matchAll(/--include '([\w/]+)\/\*\*'/g)].map(([, path]) => path);
  const [, hashed = ''] = /sourceKey\(\[(.*?)\]\)/.exec(textOf('bin/built-command.mjs')) ?? [];
  expect(watched).toEqual([...hashed.matchAll(/'([^']+)'/g)].map(([, path]) => path));
});

test('each section of the runbook has Description, Investigation and Resolution', () => {
  const linked = tableIn('docs/operations.md', 'Is the service well?').flatMap(([, , , link = '']) =>
    [...link.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor),
  );
  const sections = new Map(
    textOf('docs/operations.md')
      .split(/^## /m)
      .map((section) => [section.split('\n')[0]?.toLowerCase().replaceAll(' ', '-').replace(':', ''), section]),
  );
  const unlinked = [
    'dead-letters-that-cannot-be-read',
    'items-that-cannot-be-read',
    'webhooks-that-fail',
    'accounts-that-are-not-renewed',
    'metrics-that-are-not-added-up',
  ];
  for (const name of [...linked, ...unlinked]) {
    const parts = [...(sections.get(name) ?? '').matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part);
    expect(parts, name).toEqual(['Description', 'Investigation', 'Resolution']);
  }
});

test('docs/contributing-recipes.md names the files of each recipe', () => {
  const [, ...recipes] = textOf('docs/contributing-recipes.md').split(/^## /m);
  expect(recipes).toHaveLength(10);
  for (const recipe of recipes) {
    expect(recipe.match(PATH)?.length, recipe).toBeGreaterThanOrEqual(4);
    expect(recipe).toMatch(/\btests?: `test\//i);
  }
});

test('docs/embedded.md names the package and the health of this version', () => {
  for (const text of [`tributary-${VERSION}.tgz`, `"version":"${VERSION}"`])
    expect(textOf('docs/embedded.md')).toContain(text);
});

/** A value as a cell of a table has it. */
const cellOf = (value: unknown): string =>
  value === undefined
    ? 'none'
    : typeof value === 'number'
      ? value.toLocaleString('en')
      : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

test('docs/stages.md lists every setting of a stage with its default', () => {
  const defaults = Stage.parse({});
  const settings = Object.keys(StageSettings.shape).flatMap((name): [string, unknown][] => {
    const value: unknown = Reflect.get(defaults, name);
    const group: object | undefined = Reflect.get(groups, name);
    if (group === undefined) return [[name, value]];
    const members = Object.keys(group).map((member): [string, unknown] => [
      `${name}.${member}`,
      value === undefined ? undefined : Reflect.get(Object(value), member),
    ]);
    return name === 'concurrency' ? [[name, 'small'], ...members] : members;
  });
  const documented = tableIn('docs/stages.md', 'Settings').map(([name, preset]) => [name, preset]);
  expect(documented.sort()).toEqual(settings.map(([name, value]) => [`\`${name}\``, cellOf(value)]).sort());
});

test('docs/stages.md shows the presets of concurrency and what they add up to', () => {
  const presetOf = (name: string) => Stage.parse({ concurrency: name }).concurrency;
  const [small, standard] = [presetOf('small'), presetOf('standard')];
  const rows = Object.keys(small).map((name) => [
    `\`${name}\``,
    ...[small, standard].map((preset) => cellOf(Reflect.get(preset, name))),
  ]);
  expect(tableIn('docs/stages.md', 'Concurrency')).toEqual(rows);
  expect(textOf('docs/stages.md')).toMatch(
    new RegExp(`the queues use +\\| ${executionsOf(small)} +\\| ${executionsOf(standard)} `),
  );
});

test('docs/errors.md gives each code the status of its answers', () => {
  const listed = new Map(
    [...textOf('docs/errors.md').matchAll(/^\| `(\w+)` +\| (\d{3}) /gm)].map(([, code, status]) => [code, status]),
  );
  const sources = ['shared', 'functions'].flatMap((top) => entriesOf(top)).filter((path) => path.endsWith('.ts'));
  const thrown = sources.flatMap((path) => [...textOf(path).matchAll(/new ServiceError\(\s*'(\w+)'/g)]);
  expect(new Set(thrown.map(([, code]) => code)).size).toBeGreaterThan(20);
  for (const [, code] of thrown) {
    const problem = new ServiceError(code as ErrorCode, '');
    expect(`${code} ${problemResponse(problem, '').statusCode}`).toBe(`${code} ${listed.get(code)}`);
  }
});

test('docs/embedded.md lists every variable of the service with its default', () => {
  const defaults = Environment.parse({});
  const rows = new Map(
    tableIn('docs/embedded.md', 'Settings').map(([name = '', preset]) => [name.replaceAll('`', ''), preset]),
  );
  // npm sets variables in lower case itself.
  const own = Object.keys(Environment.shape).filter((name) => name === name.toUpperCase());
  expect([...rows.keys()].sort()).toEqual([...own, 'COMPONENT_HOSTS', 'RUNNER_HOSTS'].sort());
  for (const [name, value] of Object.entries(defaults))
    if (typeof value !== 'object') expect(rows.get(name), name).toBe(`\`${value}\``);
});

test('every `npm run` command in README.md and docs is a script of package.json', () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(textOf('package.json')));
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\bnpm run (?:--\S+ )*([\w:-]+)/g)].map(([, script = '']) => script),
  );
  expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
});

test('docs/deploy.md lists every claim about AWS with its line of the doctor', () => {
  const [, section = ''] = textOf('docs/deploy.md').split('## Claims about AWS\n');
  const rows = [...section.matchAll(/^\| (\S.*?) +\| `([\w-]+)` +\|$/gm)].map(([, claim, name]) => ({
    name,
    claim,
  }));
  expect(rows).toEqual(checks.map(({ name, claim }) => ({ name, claim })));
});

test('docs/coming-from-pipedream.md names operations, codes and settings beyond the original interface as they are', () => {
  const [, rest = ''] = textOf('docs/coming-from-pipedream.md').split('## Beyond the original interface\n');
  const [section = ''] = rest.split('\n## ');
  const operations = Object.values(routes).flatMap((group) => Object.values<Route>(group));
  const extensions = operations.flatMap(({ method, path, isExtension }) => (isExtension ? [`${method} ${path}`] : []));
  const named = [...section.matchAll(/`([A-Z]+ \/v1\/[^`?]+)/g)].map(([, operation]) => operation);
  expect(named).toHaveLength(6);
  expect(extensions).toEqual(expect.arrayContaining(named));
  const [, codes = ''] = /\| 403 (.*?)\|/.exec(section) ?? [];
  expect(errorCodes).toEqual(expect.arrayContaining(codes.match(/(?<=`)\w+(?=`)/g) ?? ['none']));
  expect(Object.keys(StageSettings.shape)).toContain('eventsPerItem');
});

test('docs/components.md lists every export of @pipedream/platform', () => {
  const [, section = ''] = textOf('docs/components.md').split('## The module `@pipedream/platform`\n');
  const listed = [...section.matchAll(/^\| (.*?) \|/gm)].flatMap(
    ([, names = '']) => names.match(/(?<=`)[\w$]+(?=`)/g) ?? [],
  );
  expect(listed.sort()).toEqual(Object.keys(platform).sort());
});

test('a line of docs/changelog.md has at most 25 words', () => {
  const lines = textOf('docs/changelog.md').split(/^- /m).slice(1);
  const wordsOf = (line: string) => (line.split(/^#/m)[0] ?? '').trim().split(/\s+/).length;
  expect(lines.filter((line) => wordsOf(line) > 25)).toEqual([]);
});
