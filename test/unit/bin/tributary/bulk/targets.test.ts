import { expect, test } from 'vitest';
import * as z from 'zod';
import type { BulkKind } from '../../../../../bin/tributary/bulk/bulk-kind.ts';
import { Attempts, targetsOf } from '../../../../../bin/tributary/bulk/targets.ts';
import { unreachableFailure } from '../../../../../bin/tributary/failures.ts';
import type { Api } from '../../../../../bin/tributary/session/api.ts';
import type { Session } from '../../../../../bin/tributary/session/command-session.ts';

const Item = z.object({ id: z.string(), tags: z.array(z.string()).optional() });
type Item = z.infer<typeof Item>;

const kind = {
  noun: 'source',
  list: '/users/me/sources',
  schema: Item,
  named: (_: Api, text: string) => Promise.resolve(text),
  labelOf: ({ id }: Item) => id,
} as unknown as BulkKind<Item>;
const session = { output: { hasColumns: true, note: () => undefined } } as unknown as Session;
const apiWith = (items: readonly Item[]) => ({ list: () => Promise.resolve(items) }) as unknown as Api;
const byTag = (items: readonly Item[]) =>
  targetsOf(session, apiWith(items), { kind, input: { names: [], tag: 'old' }, attempts: new Attempts(false) });

test('a service that does not know the filter lists everything: only what has the tag is chosen', async () => {
  const items = [{ id: 'a', tags: ['old'] }, { id: 'b', tags: ['older'] }, { id: 'c' }];
  expect(await byTag(items)).toEqual([{ id: 'a', label: 'a' }]);
  await expect(byTag([{ id: 'c' }])).rejects.toThrow('No source has the tag old.');
});

test('a service that cannot be reached ends the command at the first one', async () => {
  const attempts = new Attempts(false);
  const lost = () => Promise.reject(unreachableFailure('Nothing answers.'));
  await expect(attempts.of('a', lost)).rejects.toThrow('Nothing answers.');
  expect(attempts.refusals).toEqual([]);
});
