import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const codeOf = (top: string): string[] =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(top, path), 'utf8'));

test('the functions write every log line that docs/operations.md names', () => {
  const [, ...mentions] = readFileSync('docs/operations.md', 'utf8').split(/look\s+for\s+`/i);
  const names = mentions.map((text) => text.slice(0, text.indexOf('`')));
  expect(names.length).toBeGreaterThanOrEqual(2);
  const code = ['functions', 'shared'].flatMap(codeOf);
  for (const name of names)
    expect(
      code.some((text) => text.includes(`'${name}'`)),
      name,
    ).toBe(true);
});
