import { expect, test } from 'vitest';
import { UserId } from '../../../../../shared/domain/id.ts';
import { type CursorScope, decodeCursor, encodeCursor } from '../../../../../shared/store/table/cursor.ts';

const mine: CursorScope = { list: 'sources', ownerId: UserId.parse('u_me') };
const cursor = encodeCursor(mine, 'dc_1');

test('a cursor leads back to its place', () => {
  expect(decodeCursor(mine, cursor, 'after')).toBe('dc_1');
  expect(cursor).toMatch(/^[\w-]+$/);
});

test.each([
  ['another list', { ...mine, list: 'webhooks' as const }, cursor],
  ['another user', { ...mine, ownerId: UserId.parse('u_you') }, cursor],
  ['one that was tampered with', mine, `${cursor.slice(0, -1)}A`],
  ['one with something behind it', mine, `${cursor}=`],
  ['nonsense', mine, 'nonsense'],
  ['nothing', mine, ''],
])('a cursor of %s is refused', (_, scope, text) => {
  expect(() => decodeCursor(scope, text, 'before')).toThrow(
    expect.objectContaining({ code: 'invalid_cursor' }) as Error,
  );
});
