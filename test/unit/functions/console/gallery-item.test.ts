import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemOfComponent, itemOfExample, matches } from '../../../../functions/console/app/gallery/gallery-item.ts';
import { componentItem } from '../../../../shared/http/openapi/examples.ts';
import { ComponentListResponse } from '../../../../shared/http/responses.ts';

const FOLDER = 'docs/examples';
const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

const GITHUB = `export default {
  key: 'stars',
  name: 'Somebody\\'s stars',
  description:
    'Emits each new star.',
  props: { github: { type: 'app', app: 'github' }, timer: '$.interface.timer' },
  async run() {},
};
`;

describe('the item of an example', () => {
  test('names it, and says what starts it and the apps that it needs', () => {
    expect(itemOfExample(GITHUB)).toEqual({
      id: 'example stars',
      kind: 'example',
      name: "Somebody's stars",
      description: 'Emits each new star.',
      apps: ['github'],
      startedBy: ['timer'],
      code: GITHUB,
    });
  });

  test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.mjs') && name !== 'playground.mjs'))(
    'is complete for %s',
    (name) => {
      const item = itemOfExample(textOf(name)) ?? expect.fail();
      expect(item.id).toBe(`example ${name.replace('.mjs', '')}`);
      expect([item.name.length, item.description.length, item.startedBy.length]).not.toContain(0);
    },
  );

  test('is none for a file that is no component', () => {
    expect(itemOfExample(textOf('playground.mjs'))).toBeUndefined();
  });
});

describe('the item of a published component', () => {
  const props = [
    { name: 'http', type: '$.interface.http' },
    { name: 'slack', type: 'app', app: 'slack' },
    { name: 'unnamed', type: 'app' },
  ];

  test('has its description, its apps and what starts it', () => {
    expect(
      itemOfComponent(ComponentListResponse.parse({ ...componentItem, configurable_props: props, description: null })),
    ).toEqual({
      id: componentItem.id,
      kind: 'registry',
      name: componentItem.name,
      description: '',
      apps: ['slack'],
      startedBy: ['HTTP'],
      code: undefined,
    });
  });
});

test('a search finds items that have each of its words in name, description or app', () => {
  const item = itemOfExample(GITHUB) ?? expect.fail();
  for (const search of ['', 'STARS', 'github star', ' emits  new ']) expect(matches(item, search), search).toBe(true);
  expect(matches(item, 'github moon')).toBe(false);
});
