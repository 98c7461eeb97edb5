import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import { lookUpCountStore, requestCountStore } from '../../../../../shared/store/users/request-counts.ts';
import { openEventTable } from '../../../../support/event-table.ts';

test('requests to endpoints and look-ups of a user are counted apart, each window for itself', async () => {
  const { table, close } = await openEventTable({ clock: new FakeClock() });
  onTestFinished(close);
  const user = UserId.parse('u_1');
  const [requests, lookUps] = [requestCountStore(table), lookUpCountStore(table)];
  const window = { window: 7, endsAt: 80_000 };
  expect(await requests.add(user, { ...window, added: 5 })).toBe(5);
  expect(await lookUps.add(user, { ...window, added: 3 })).toBe(3);
  expect(await lookUps.add(user, { ...window, added: 4 })).toBe(7);
  expect(await requests.add(user, { window: 8, endsAt: 90_000, added: 1 })).toBe(1);
});
