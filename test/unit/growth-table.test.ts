import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const [, section = ''] = readFileSync('docs/isolation.md', 'utf8').split('## Growth\n');
const [growth = ''] = section.split('\n## ');
const [, , ...rows] = [...growth.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
  row.split(' | ').map((cell) => cell.trim()),
);

test('the table in docs/isolation.md names every resource that code of users can make grow', () => {
  expect(new Set(rows.map(([resource]) => resource))).toEqual(
    new Set([
      'memory',
      'disk',
      'descriptors',
      'processes',
      'threads',
      'names',
      'schedules',
      'queue messages',
      'log lines',
      'table reads',
    ]),
  );
});

test.each(rows)(
  '%s: %s has a limit, an owner, an effect, a way for an honest user to meet it, a loss and a test that exists',
  (...cells) => {
    expect(cells).toHaveLength(8);
    expect(cells.filter((cell) => cell === '')).toEqual([]);
    const tests = [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    expect(tests.length).toBeGreaterThan(0);
    for (const path of tests) {
      expect(path).toMatch(/^test\/.*\.test\.ts$/);
      expect(existsSync(path), path).toBe(true);
    }
  },
);
