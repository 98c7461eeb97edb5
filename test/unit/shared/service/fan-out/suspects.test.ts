import { expect, test } from 'vitest';
import { UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { targetOfWebhook } from '../../../../../shared/service/delivery/http-target.ts';
import { createSuspects, SUSPECT_MS } from '../../../../../shared/service/fan-out/suspects.ts';
import { aWebhook } from '../../../../support/a-webhook.ts';

const id = WebhookId.parse('wh_0mwtlyq3nh3ji42w4lo8p4fa');
const START = 1_000_000;

const webhook = aWebhook({ id, ownerId: UserId.parse('u_0mwtlypefr56dxafw5z8azsb') });

test('a success that began after the failed attempt ends the suspicion, though another process wrote it later', () => {
  const suspects = createSuspects({ suspect: () => Promise.resolve() });
  const suspectUntil = START + SUSPECT_MS;
  const at = (lastSuccess: number) =>
    targetOfWebhook({ ...webhook, suspectUntil, health: { ...webhook.health, lastSuccess } }, START);
  expect(suspects.untilOf(at(START))).toBe(suspectUntil);
  expect(suspects.untilOf(at(START + 1))).toBe(0);
});

test('a webhook that fails all the time costs one write a second, and stays suspect', async () => {
  const writes: number[] = [];
  const suspects = createSuspects({ suspect: async (_id, until) => void writes.push(until) });
  const target = targetOfWebhook(webhook, START);
  for (let ms = 0; ms < 10_000; ms += 20) {
    await suspects.add(id, START + ms);
    expect(suspects.untilOf(target)).toBeGreaterThan(START + ms + SUSPECT_MS - 1_000);
  }
  expect(writes).toHaveLength(10);
  expect(suspects.end(id, START + 8_000)).toBe(false);
  expect(suspects.end(id, START + 9_999)).toBe(true);
  await suspects.add(id, START + 10_000);
  expect(writes).toHaveLength(11);
});
