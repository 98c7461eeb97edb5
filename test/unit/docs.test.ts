import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { usage } from '../../bin/admin/commands.ts';
import { Stage } from '../../infra/stage.ts';
import * as platform from '../../shared/runtime/platform/platform.ts';

const entriesOf = (folder: string, recursive = true) =>
  readdirSync(folder, { recursive, encoding: 'utf8' }).map((name) => join(folder, name));
const textOf = (page: string) => readFileSync(page, 'utf8');

const pages = ['README.md', ...entriesOf('docs', false).filter((path) => path.endsWith('.md'))];
const tops = ['bin', 'docs', 'functions', 'infra', 'shared', 'test'];
const entries = [...tops, ...tops.flatMap((top) => entriesOf(top))];

/** A path that begins with a folder of this repository and ends in an extension or a slash. `<name>` in it stands for any name. */
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

test('docs/contributing.md names the files of each recipe', () => {
  const [, ...recipes] = textOf('docs/contributing.md').split(/^### /m);
  expect(recipes).toHaveLength(5);
  for (const recipe of recipes) {
    expect(recipe.match(PATH)?.length, recipe).toBeGreaterThanOrEqual(4);
    expect(recipe).toMatch(/\btests?: `test\//i);
  }
});

/** First cells of the table in a section of docs/operations.md. */
function rowsOf(heading: string): string[] {
  const [, section = ''] = textOf('docs/operations.md').split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, row = '']) => row.replaceAll('\\|', '|')).sort();
}

test('docs/operations.md lists every setting of a stage', () => {
  const { limits, concurrency, throttle, ...others } = Stage.shape;
  const namesOf = (settings: object, group?: string) =>
    Object.keys(settings).map((name) => (group === undefined ? name : `${group}.${name}`));
  const settings = [
    ...namesOf(others),
    ...namesOf(limits.parse(undefined), 'limits'),
    ...namesOf(concurrency.parse(undefined), 'concurrency'),
    ...namesOf(throttle.parse(undefined), 'throttle'),
  ];
  expect(rowsOf('Settings of a stage')).toEqual(settings.sort());
});

test('every `npm run` command in README.md and docs is a script of package.json', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(textOf('package.json')));
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\bnpm run (?:--\S+ )*([\w:-]+)/g)].map(([, script = '']) => script),
  );
  expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
});

test('docs/operations.md lists every command of the operator, with its options', () => {
  const commands = [...usage.matchAll(/^ {2}(\S.*)$/gm)].map(([, command]) => command);
  expect(rowsOf("The operator's commands")).toEqual(commands.sort());
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
