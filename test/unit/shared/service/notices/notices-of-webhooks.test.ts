import { beforeEach, describe, expect, test } from 'vitest';
import type { ListenerId, SourceId } from '../../../../../shared/domain/id.ts';
import { NoticeEvent, type NoticeName } from '../../../../../shared/domain/notice/notice.ts';
import { noticesIdOf } from '../../../../../shared/domain/notice/notices-emitter.ts';
import type { RetryMessage } from '../../../../../shared/domain/run/message.ts';
import { DAY_MS, HOUR_MS } from '../../../../../shared/lib/durations.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { World } from '../../../../support/world/world.ts';

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let subscribed: Deliveries['subscribed'];
let notices: SourceId;
beforeEach(async () => {
  ({ stage, receiver, world, subscribed } = await openDeliveries());
  notices = noticesIdOf(stage.ownerId);
});

const sent = () =>
  stage.noticeTriggers.map(({ stream, payload }) => ({
    stream,
    ...NoticeEvent.parse(JSON.parse(payload && 'json' in payload ? payload.json : '')),
  }));
const retryOf = (kind: RetryMessage['kind']) => {
  const found = world.retries.findLast(({ message }) => message.kind === kind)?.message;
  if (!found) throw new Error(`no message ${kind}`);
  return found;
};

describe('a webhook', () => {
  test('that fails is told once, with its status and since when, and that it recovered', async () => {
    const { source, hook } = await subscribed({ name: 'orders' });
    receiver.respond = () => ({ status: 500 });
    const at = stage.clock.now();
    await world.deliver([world.message(source)]);
    await world.retry(retryOf('retry'));
    expect(sent()).toEqual([
      {
        stream: 'webhook.failing',
        id: hook.id,
        name: 'orders',
        what: 'It answers 500.',
        since: new Date(at).toISOString(),
      },
    ]);
    receiver.respond = () => ({ status: 200 });
    await world.retry(retryOf('retry'));
    expect(sent().slice(1)).toMatchObject([{ stream: 'webhook.recovered', what: 'It works again.' }]);
  });

  test('that refuses an event is told so', async () => {
    const { source } = await subscribed();
    receiver.respond = () => ({ status: 422 });
    await world.deliver([world.message(source)]);
    expect(sent()).toMatchObject([{ stream: 'webhook.failing', what: 'It answers 422 to an event.' }]);
  });

  test('without a name is named by the host of its address: a path may be secret', async () => {
    const { source } = await subscribed({ url: `${receiver.url}/services/T0/secret?token=secret` });
    receiver.respond = () => ({ status: 500 });
    await world.deliver([world.message(source)]);
    expect(sent().map(({ name }) => name)).toEqual([new URL(receiver.url).host]);
  });

  test('that answers 410 is told to be off, and not to fail', async () => {
    const { source } = await subscribed();
    receiver.respond = () => ({ status: 410 });
    await world.deliver([world.message(source)]);
    expect(sent()).toMatchObject([{ stream: 'webhook.disabled', what: 'It is off, because it answered 410 Gone.' }]);
  });

  test('that failed for 5 days is told to be off, and that its deliveries are held', async () => {
    const { source, hook } = await subscribed();
    receiver.respond = () => ({ status: 500 });
    await world.deliver([world.message(source)]);
    stage.clock.advance(5 * DAY_MS);
    await world.retry(retryOf('retry'));
    await world.retry(retryOf('hold'));
    expect(sent().slice(1)).toMatchObject([
      { stream: 'webhook.disabled', what: 'It is off, because it failed for 5 days.' },
      { stream: 'deliveries.held', id: hook.id },
    ]);
  });

  test('that is off is told to hold deliveries once an hour, whatever comes', async () => {
    const { source } = await subscribed({ active: false, disabledReason: 'owner' });
    for (let n = 0; n < 3; n += 1) await world.deliver([world.message(source)]);
    expect(sent().map(({ stream }) => stream)).toEqual(['deliveries.held']);
    stage.clock.advance(HOUR_MS);
    await world.deliver([world.message(source)]);
    expect(sent()).toHaveLength(2);
  });

  test('that works costs no notice', async () => {
    const { source } = await subscribed();
    await world.deliver([world.message(source), world.message(source)]);
    expect(sent()).toEqual([]);
  });
});

describe('a notice', () => {
  const NAME: NoticeName = 'webhook.failing';
  const about = (id: string) =>
    world.message(
      { id: notices },
      { id, name: 'x', what: 'It answers 500.', since: '2026-11-27T11:02:00.000Z' },
      { stream: NAME },
    );
  const follow = (...ids: ListenerId[]) => Promise.all(ids.map((id) => world.subscribe(notices, id, NAME)));
  const triggered = () => world.triggers.map(({ emitterId }) => emitterId);

  test('reaches webhooks but not the one that it is about', async () => {
    const [subject, other] = [await world.webhook({ url: receiver.url }), await world.webhook({ url: receiver.url })];
    await follow(subject.id, other.id);
    await world.deliver([about(subject.id)]);
    expect([await world.listed(subject), await world.listed(other)]).toMatchObject([[], [{ emitterId: notices }]]);
  });

  test('reaches no source to which its subject listens: it would cause the next delivery', async () => {
    const [heard, globbed, free] = [await stage.source(), await stage.source(), await stage.source()];
    const [hook, every] = [await world.webhook({ url: receiver.url }), await world.webhook({ url: receiver.url })];
    await world.subscribe(heard.id, hook.id);
    await world.subscribe('dc_*', every.id, '$errors');
    await follow(heard.id, globbed.id, free.id);
    await world.deliver([about(hook.id)]);
    expect(triggered().sort()).toEqual([globbed.id, free.id].sort());
    world.triggers.length = 0;
    await world.deliver([about(every.id)]);
    expect(triggered()).toEqual([]);
    await world.deliver([about(free.id)]);
    expect(triggered().sort()).toEqual([heard.id, globbed.id].sort());
  });

  test('is not covered by a glob', async () => {
    const hook = await world.webhook({ url: receiver.url });
    await world.subscribe('dc_*', hook.id, NAME);
    await world.deliver([about('wh_other')]);
    expect(receiver.received).toEqual([]);
  });
});
