import { expect, test } from 'vitest';
import { WebhookId } from '../../../../../shared/domain/id.ts';
import type { RetryMessage } from '../../../../../shared/domain/run/message.ts';
import { createDrainSpacing } from '../../../../../shared/service/fan-out/drain-spacing.ts';

const listenerId = WebhookId.parse('wh_0mwtlyq3nh3ji42w4lo8p4fa');
const drain: RetryMessage = { kind: 'drain', listenerId };

function world() {
  const sent: { at: number; comesAt: number }[] = [];
  const clock = { ms: 1_000_000, uptime: 0 };
  let fails = false;
  const send = createDrainSpacing({
    now: () => clock.ms,
    uptime: () => clock.uptime,
    sendRetry: async (_message, delaySeconds) => {
      await Promise.resolve();
      if (fails) throw new Error('throttled');
      sent.push({ at: clock.ms, comesAt: clock.ms + delaySeconds * 1_000 });
    },
  });
  const pass = (ms: number) => {
    clock.ms += ms;
    clock.uptime += ms;
  };
  return { sent, clock, pass, send, fail: (yes: boolean) => (fails = yes) };
}

test('a drain comes after every request for one, and at most two are sent in a second', async () => {
  const { sent, clock, send, pass } = world();
  for (let n = 0; n < 500; n += 1) {
    await send(drain, 0);
    expect(sent.some(({ comesAt }) => comesAt >= clock.ms && comesAt <= clock.ms + 1_000)).toBe(true);
    pass(7);
  }
  for (const { at } of sent) {
    expect(sent.filter((other) => other.at >= at && other.at < at + 1_000).length).toBeLessThanOrEqual(2);
  }
  pass(5_000);
  await send(drain, 0);
  expect(sent.at(-1)).toEqual({ at: clock.ms, comesAt: clock.ms });
});

test('a message that could not be sent fails for all that wait for it, and the next one is sent', async () => {
  const { sent, send, fail, pass } = world();
  await send(drain, 0);
  pass(1);
  fail(true);
  const asked = await Promise.allSettled([send(drain, 0), send(drain, 0)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fail(false);
  await send(drain, 0);
  expect(sent).toHaveLength(2);
});

test.each([500, 3_600_000])('a clock that is set back by %d ms keeps no drain from being sent', async (ms) => {
  const { sent, clock, send, pass } = world();
  await send(drain, 0);
  await send(drain, 0);
  pass(1_000);
  clock.ms -= ms;
  await send(drain, 0);
  expect(sent.at(-1)?.at).toBe(clock.ms);
});

test('messages of other kinds and other webhooks are sent as they are', async () => {
  const { sent, send } = world();
  const other = WebhookId.parse('wh_0mwtlyq3nh3ji42w4lo8p4fb');
  await send(drain, 0);
  await send({ kind: 'drain', listenerId: other }, 0);
  await send({ kind: 'hold', listenerId }, 0);
  await send({ kind: 'hold', listenerId }, 0);
  expect(sent).toHaveLength(4);
});
