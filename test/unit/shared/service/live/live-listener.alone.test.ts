import { finishNow } from '../../../../../shared/lib/reading/work-steps.ts';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import { EventFilter } from '../../../../../shared/domain/event/event-pattern/event-filter.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { BEGINNING, resume } from '../../../../../shared/domain/live/resume.ts';
import { LiveBatch, liveView } from '../../../../../shared/service/live/live-batch.ts';
import { LiveListener } from '../../../../../shared/service/live/live-listener.ts';
import { LiveOutput } from '../../../../../shared/service/live/live-output.ts';
import type { StoredEvent } from '../../../../../shared/store/events/event-item.ts';
import { bodyReads } from '../../../../support/body-reads.ts';

const emitterId = SourceId.parse('dc_aaaaaa');
const wanted = liveView(EventFilter.parse('{"n":[{"exists":true}]}'), { include: [], exclude: [] });
const services = {
  reads: bodyReads(),
  show: (_emitter: unknown, { id, json }: StoredEvent) => ({ id, event: JSON.parse(json) as unknown }),
};
const KB = 1024;

const event = (sequence: number, content: object): StoredEvent => ({
  stream: 'default',
  id: eventId({ ms: 1, sequence }),
  emitId: `e${sequence}`,
  json: JSON.stringify(content),
  truncated: false,
  body: undefined,
  bytes: 0,
  indexedAt: 1,
});
const batchOf = (...events: StoredEvent[]) => new LiveBatch(emitterId, events, { show: services.show });
const unwanted = (sequence: number) => batchOf(event(sequence, { text: 'x'.repeat(300 * KB) }));

/** A client that reads nothing until it is told to read on. */
class Client extends Writable {
  text = '';
  #go: (() => void) | undefined;
  #reads = false;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    if (this.#reads) done();
    else this.#go = done;
  }

  readOn(): void {
    this.#reads = true;
    this.#go?.();
  }
}

/** A replay of one large event, for which the client lets the listener wait. */
function replayTo(listener: LiveListener) {
  const client = new Client();
  const stored = [event(1, { n: 1, text: 'x'.repeat(300 * KB) })];
  const replayed = listener.begin(new LiveOutput(client), services, {
    userId: UserId.parse('u_aaaaaa'),
    lane: '',
    emitterId,
    resumption: resume(stored, BEGINNING),
    isKnown: (id) => id === stored[0]?.id,
  });
  return { client, replayed };
}

const numbersIn = (text: string) => [...text.matchAll(/"n":(\d)/g)].map(([, n]) => Number(n));
const soon = () => new Promise((resolve) => setImmediate(resolve));

test('while a client reads its first events, only the messages that it will get wait for it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const listener = new LiveListener(wanted, () => undefined);
  const { client, replayed } = replayTo(listener);
  await soon();
  const taken = Array.from({ length: 40 }, (_, n) => {
    const batch = unwanted(n + 2);
    finishNow(listener.take(batch));
    return new WeakRef(batch);
  });
  finishNow(listener.take(batchOf(event(50, { n: 2 }))));
  await soon();
  collect();
  expect(taken.filter((batch) => batch.deref() !== undefined)).toEqual([]);
  client.readOn();
  await replayed;
  await soon();
  expect(numbersIn(client.text)).toEqual([1, 2]);
  expect(client.destroyed).toBe(false);
});

test('a client is cut off when more than 1 MB of its messages wait for the end of the replay', async () => {
  const listener = new LiveListener(wanted, () => undefined);
  const { client, replayed } = replayTo(listener);
  await soon();
  for (let n = 0; n < 4; n += 1) finishNow(listener.take(batchOf(event(n + 2, { n: 2, text: 'x'.repeat(300 * KB) }))));
  client.readOn();
  await replayed;
  expect(client.destroyed).toBe(true);
});

test('events that come before the client has joined are sent after the replay, without those of the replay', async () => {
  const listener = new LiveListener(wanted, () => undefined);
  finishNow(listener.take(batchOf(event(1, { n: 1 }), event(2, { n: 2 }))));
  finishNow(listener.take(unwanted(3)));
  const { client, replayed } = replayTo(listener);
  client.readOn();
  await replayed;
  await soon();
  expect(numbersIn(client.text)).toEqual([1, 2]);
});

test('events that come before the client has joined wait up to 1 MB, also those that it will not get', async () => {
  const listener = new LiveListener(wanted, () => undefined);
  for (let n = 0; n < 4; n += 1) finishNow(listener.take(unwanted(n + 2)));
  const { client, replayed } = replayTo(listener);
  client.readOn();
  await replayed;
  expect(client.destroyed).toBe(true);
});
