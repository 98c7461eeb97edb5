import { expect, test } from 'vitest';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';
import { openDeliveries } from '../../../../support/open-deliveries.ts';
import { tableWith } from '../../../../support/table-with.ts';

test('an event for ten webhooks with an open breaker takes one write each, and few requests that they share', async () => {
  const { stage, openProcess } = await openDeliveries();
  const requests = new Map<string, number>();
  const table = tableWith(stage.table, ({ constructor: { name } }) => {
    requests.set(name, (requests.get(name) ?? 0) + 1);
  });
  const world = openProcess({ table });
  const source = await stage.source();
  const breaker = { openedAt: 0, probe: 1, probeAt: stage.clock.now() + 60_000 };
  for (let n = 0; n < 10; n += 1) {
    const hook = await world.webhook({ url: 'http://127.0.0.1:9/', health: { ...HEALTHY, breaker } });
    await world.subscribe(source.id, hook.id);
  }
  requests.clear();
  await world.deliver([world.message(source)]);
  expect(requests.get('PutCommand')).toBe(10);
  expect(requests.get('BatchWriteCommand')).toBe(1);
  expect(requests.get('BatchGetCommand')).toBeLessThanOrEqual(2);
  expect([...requests.values()].reduce((sum, count) => sum + count)).toBeLessThanOrEqual(16);
});
