import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { travel as travelOn } from '../support/travel.ts';
import { until } from '../support/until.ts';

/**
 * A receiver refused three events. The breaker of its webhook opened, and all other events waited for minutes. The
 * clock stands still while a good event must arrive at once.
 */

const SECOND = 1_000;

let clock: FakeClock;
let scene: Scene;
const travel = (byMs: number, stepMs: number, condition?: () => boolean | Promise<boolean>) =>
  travelOn(clock, { isBusy: scene.isBusy, byMs, stepMs }, condition);
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock });
});
afterEach(() => scene.close());

/** A webhook whose receiver has this status for bad events. */
async function picky(status: number) {
  const [source, { id, receiver }] = [await scene.source(ECHO), await scene.webhook()];
  await scene.subscribe(source.id, id);
  receiver.respond = (_, { body }) => ({ status: body.includes('bad') ? status : 200 });
  const countOf = (text: string) => receiver.received.filter(({ body }) => body.includes(text)).length;
  const send = async (text: string, count: number) => {
    for (let n = 0; n < count; n += 1) await scene.send(source.endpoint, { text, n });
  };
  return {
    send,
    countOf,
    async sendAtOnce(text: string, count: number) {
      await send(text, count);
      await until(`${count} × ${text}`, () => countOf(text) >= count);
    },
    failingSince: async () => (await scene.api.get(`/webhooks/${id}`)).body.data.failing_since_ms,
  };
}

test('a receiver that answers 422 to three events on a quiet webhook gets all others at once', async () => {
  const { sendAtOnce, failingSince } = await picky(422);
  await sendAtOnce('bad', 3);
  await until('the failure is shown', async () => (await failingSince()) !== null);
  await sendAtOnce('good', 10);
  await until('the success is shown', async () => (await failingSince()) === null);
});

test('a receiver that answers 422 to 30 events in a burst gets one good event a second at once', async () => {
  const { sendAtOnce } = await picky(422);
  await sendAtOnce('good before', 1);
  await sendAtOnce('bad', 30);
  for (let n = 0; n < 8; n += 1) {
    await sendAtOnce(`good ${n}`, 1);
    await travel(SECOND, SECOND);
  }
});

test('a receiver that answers 500 to three events gets all others within 12 s', async () => {
  const { send, sendAtOnce, countOf } = await picky(500);
  await sendAtOnce('bad', 3);
  await send('good', 5);
  expect(await travel(12 * SECOND, SECOND, () => countOf('good') === 5)).toBe(true);
});
