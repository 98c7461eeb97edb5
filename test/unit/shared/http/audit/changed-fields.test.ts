import { describe, expect, test } from 'vitest';
import { type Change, changedFields } from '../../../../../shared/http/audit/changed-fields.ts';
import { JsonText } from '../../../../../shared/lib/json-text.ts';

const NONE = { isRemoval: false, before: undefined, after: undefined, input: {}, removed: undefined };

function changed(change: Partial<Change>) {
  const { before, after, removed, ...rest } = changedFields({ ...NONE, ...change });
  const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
  return { before: parsed(before), after: parsed(after), removed: parsed(removed), ...rest };
}

test('a change has the fields that differ, before and after', () => {
  const before = { name: 'one', active: true, rate_limit: null, tags: ['a'], held_count: 3, updated_at: 1 };
  const after = { name: 'one', active: false, rate_limit: 5, tags: ['a'], held_count: 0, updated_at: 2 };
  expect(changed({ before, after, input: { active: false, rate_limit: 5 } })).toEqual({
    before: { active: true, rate_limit: null },
    after: { active: false, rate_limit: 5 },
    removed: undefined,
    hidden: [],
    isShortened: false,
  });
});

test('a creation has its fields, with the filter as it was sent', () => {
  const after = { id: 'sub_1', event_name: '', filter: new JsonText('{"a":[1]}'), description: null };
  expect(changed({ after, input: { listener_id: 'wh_1' } })).toMatchObject({
    before: undefined,
    after: { listener_id: 'wh_1', event_name: '', filter: { a: [1] } },
  });
});

test('a removal has what it removed and took along', () => {
  const before = { name: 'one', headers: { a: 'b' }, waiting: 4, held_count: 0, description: null };
  expect(changed({ isRemoval: true, before, removed: { subscriptions: 2 } })).toMatchObject({
    before: { name: 'one' },
    after: undefined,
    removed: { waiting: 4, subscriptions: 2 },
    hidden: [],
  });
});

describe('without its value', () => {
  test.each([
    ['a secret that was sent', { input: { fields: { token: 'hunter2' } } }, ['fields']],
    [
      'a secret that differs',
      { before: { configured_props: { a: 'hunter2' } }, after: { configured_props: {} } },
      ['configured_props'],
    ],
    ['a secret that was made', { after: { secret: 'hunter2' } }, ['secret']],
    [
      'the path of an address',
      { before: { url: 'https://hooks.example/hunter2' }, after: { url: 'https://hooks.example/?hunter2' } },
      ['url'],
    ],
  ])('%s is named', (_, change, hidden) => {
    const found = changed(change);
    expect(found.hidden).toEqual(hidden);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });
});

test('long values are cut with a mark, and an entry has at most 1,000 bytes of values', () => {
  const long = {
    name: '😀'.repeat(200),
    description: 'x'.repeat(1_000),
    tags: Array.from({ length: 50 }, () => 'tag'),
  };
  const after = { ...long, app: 'a', filter: new JsonText(JSON.stringify({ a: 'y'.repeat(5_000) })), event_name: 'e' };
  const found = changedFields({ ...NONE, after });
  expect(Buffer.byteLength(found.after ?? '')).toBeLessThanOrEqual(1_050);
  expect(found.isShortened).toBe(true);
  const shown = JSON.parse(found.after ?? '') as Record<string, unknown>;
  expect(shown['name']).toBe(`${'😀'.repeat(100)}…`);
  expect(shown['description']).toBe(`${'x'.repeat(200)}…`);
  const named = [...Object.keys(shown), ...found.hidden];
  expect(named).toEqual(expect.arrayContaining(Object.keys(after)));
});
