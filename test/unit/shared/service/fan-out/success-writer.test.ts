import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSuccessWriter } from '../../../../../shared/service/fan-out/success-writer.ts';
import type { LoggedSuccess } from '../../../../../shared/store/deliveries/delivery-log-item.ts';
import { EmitterId, UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { EventId } from '../../../../../shared/domain/event/event-id.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const success = (emitId: string): LoggedSuccess => ({
  webhookId: WebhookId.parse('wh_1'),
  ownerId: UserId.parse('u_1'),
  emitterId: EmitterId.parse('dc_1'),
  stream: 'default',
  eventId: EventId.parse('1700000000000-0'),
  emitId,
  at: 0,
  status: 200,
  ms: 1,
});

/** A writer, and the emit ids of each of its writes. */
function writerWith(store: () => Promise<void> = () => Promise.resolve()) {
  const writes: string[][] = [];
  const writer = createSuccessWriter({
    store: (successes) => {
      writes.push(successes.map(({ emitId }) => emitId));
      return store();
    },
    now: () => 0,
  });
  return { writer, writes };
}

test('a batch that is alone writes its successes when it ends, all at once', async () => {
  const { writer, writes } = writerWith();
  const batch = writer.open();
  batch.add(success('a'));
  batch.add(success('b'));
  await batch.end();
  expect(writes).toEqual([['a', 'b']]);
});

test('a batch without successes writes nothing and waits for nobody', async () => {
  const { writer, writes } = writerWith();
  writer.open();
  await writer.open().end();
  expect(writes).toEqual([]);
});

test('batches that end within 50 ms of each other share a write while another one is under way', async () => {
  const { writer, writes } = writerWith();
  writer.open();
  const [first, second] = [writer.open(), writer.open()];
  first.add(success('a'));
  second.add(success('b'));
  const ends = [first.end()];
  await vi.advanceTimersByTimeAsync(49);
  ends.push(second.end());
  expect(writes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(ends);
  expect(writes).toEqual([['a', 'b']]);
});

test('the last batch under way waits for no other one', async () => {
  const { writer, writes } = writerWith();
  const [first, second] = [writer.open(), writer.open()];
  first.add(success('a'));
  second.add(success('b'));
  await Promise.all([first.end(), second.end()]);
  expect(writes).toEqual([['a', 'b']]);
});

test('a success is written after a second at the latest, though its batch goes on', async () => {
  const { writer, writes } = writerWith();
  const batch = writer.open();
  batch.add(success('a'));
  await vi.advanceTimersByTimeAsync(600);
  batch.add(success('b'));
  await vi.advanceTimersByTimeAsync(400);
  expect(writes).toEqual([['a', 'b']]);
  batch.add(success('c'));
  await batch.end();
  expect(writes).toEqual([['a', 'b'], ['c']]);
});

test('a batch ends only when its successes are stored, also those that another batch wrote', async () => {
  let stored = (): void => undefined;
  const { writer } = writerWith(() => new Promise((resolve) => (stored = resolve)));
  const [first, second] = [writer.open(), writer.open()];
  first.add(success('a'));
  second.add(success('b'));
  const ended = vi.fn();
  const ends = Promise.all([first.end().then(ended), second.end().then(ended)]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).not.toHaveBeenCalled();
  stored();
  await ends;
  expect(ended).toHaveBeenCalledTimes(2);
});

test('a write that fails fails every batch whose successes it had', async () => {
  const { writer } = writerWith(() => Promise.reject(new Error('throttled')));
  const [first, second] = [writer.open(), writer.open()];
  first.add(success('a'));
  second.add(success('b'));
  const ends = await Promise.allSettled([first.end(), second.end()]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
