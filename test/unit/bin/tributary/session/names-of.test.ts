import type * as z from 'zod';
import { expect, test } from 'vitest';
import { CommandFailure } from '../../../../../bin/tributary/failures.ts';
import { namesOf } from '../../../../../bin/tributary/session/names-of.ts';

const sources = Array.from({ length: 30 }, (_, n) => ({
  id: `dc_${n}`,
  name: `S ${n}`,
  name_slug: `s-${n}`,
}));
const webhooks = [{ id: 'wh_1', name: null, url: 'https://shop.example/hook' }];

function service() {
  const asked: string[] = [];
  const api = {
    get: async <T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> => {
      asked.push(path);
      const found = [...sources, ...webhooks].find(({ id }) => path.endsWith(`/${id}`));
      if (found) return schema.parse(found);
      throw new CommandFailure(1, { error: 'gone', code: 'not_found' });
    },
    list: async <T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>[]> => {
      asked.push(path);
      return sources.map((source) => schema.parse(source));
    },
  };
  return { api, asked };
}

test('ids become slugs, names and addresses; others stay as they are', async () => {
  const { api, asked } = service();
  const name = await namesOf(api, ['dc_1', 'wh_1', 'dc_1', 'dc_*', 'dc_gone', 'dc_notices0f', null]);
  expect(['dc_1', 'wh_1', 'dc_*', 'dc_gone', 'dc_notices0f', null].map(name)).toEqual([
    's-1',
    'https://shop.example/hook',
    'dc_*',
    'dc_gone',
    'notices',
    '',
  ]);
  expect(asked.sort()).toEqual(['/sources/dc_1', '/sources/dc_gone', '/webhooks/wh_1']);
});

test('many ids are looked up in the list', async () => {
  const { api, asked } = service();
  const name = await namesOf(
    api,
    sources.map(({ id }) => id),
  );
  expect(name('dc_29')).toBe('s-29');
  expect(asked).toEqual(['/users/me/sources']);
});
