import { expect, test } from 'vitest';
import { FakeClock } from '../../../../../../infra/embedded/clock.ts';
import { type Expired, Expiry } from '../../../../../../infra/embedded/dynamodb/rows/expiry.ts';

function anExpiry() {
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const expired: Expired[] = [];
  const expiry = new Expiry(clock, (each) => expired.push(...each));
  return { clock, expired, expiry, row: { partition: 'LOG#wh_1', expires: clock.now() / 1000 + 60 } };
}

test('a partition is looked through as long as one of its items still expires in that minute', () => {
  const { clock, expired, expiry, row } = anExpiry();
  expiry.add(row);
  expiry.add(row);
  expiry.delete(row);
  clock.advance(180_000);
  expect(expired).toEqual([{ partition: row.partition, from: row.expires, before: row.expires + 60 }]);
});

test('a partition whose expiring items are gone is not looked through', () => {
  const { clock, expired, expiry, row } = anExpiry();
  expiry.add(row);
  expiry.delete(row);
  clock.advance(180_000);
  expect(expired).toEqual([]);
});
