import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { emitNamer } from '../../../../../shared/domain/event/emit-id.ts';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import { newTrace } from '../../../../../shared/domain/event/trace.ts';
import { SourceId } from '../../../../../shared/domain/id.ts';
import { fromEventItem, fromRefItem, toEventItem } from '../../../../../shared/store/events/event-batch.ts';
import { type HeldEvent, sizeOfText } from '../../../../../shared/store/events/event-item.ts';
import { sampleBody } from '../../../../support/sample-bodies.ts';

/** docs/data-model.md: the earlier events of an item are packed, and read as they were written. */

const emitterId = SourceId.parse('dc_mine');
const START = 1_795_800_000_000;
const order = sampleBody('order');

function emitted(n: number, fields: Partial<HeldEvent> = {}): HeldEvent {
  const { emittedBy = `http-${randomUUID()}`, stream = 'default', json = order(n), ownId } = fields;
  return {
    stream,
    id: eventId({ ms: START + 3 * n, sequence: 0 }),
    emitId: emitNamer(emittedBy)({ stream, id: ownId, json }),
    json,
    body: undefined,
    bytes: sizeOfText(json),
    indexedAt: START + 40,
    trace: newTrace(emittedBy),
    emittedBy,
    ...fields,
  };
}

const written = (event: HeldEvent) =>
  JSON.parse(JSON.stringify({ ...event, emittedBy: undefined, truncated: event.body !== undefined }));
const read = (events: readonly HeldEvent[]) =>
  fromEventItem('default', toEventItem(emitterId, events))
    .map((event) => JSON.parse(JSON.stringify(event)))
    .toReversed();

const trigger = `tick-dc_mine-1-2026`;
const other = { emittedBy: `api-${randomUUID()}-7` };
const cases: Record<string, Partial<HeldEvent>> = {
  'a request': {},
  'a timer': { emittedBy: trigger },
  'a trigger with text around its UUID': { ...other, triggerId: other.emittedBy },
  'an emit with an id, a summary and a time': { ownId: 'é\u2028', summary: 'Paid', ts: 7 },
  'an emit whose id is cut': { ownId: 'x'.repeat(2_000) },
  'an emit equal to one before': { emitId: 'another-emit-id-000000' },
  'a request with a trace': { trace: { id: 'ab'.repeat(16), flags: '00', state: 'a=b' } },
  'an earlier release, without a trace': { trace: undefined, bytes: 0 },
  'an event read before': { emittedBy: undefined },
  'a large event': { json: '{"shortened":true}', body: 'item', bytes: 70_000 },
  'an event whose ids are not hashed again': { json: JSON.stringify({ text: 'long '.repeat(1_000) }) },
  'a text outside of ASCII': { json: '{"text":"schön 🎉 \\ud800"}' },
  'a batch that left some out': { leftOut: 3 },
  'a delayed emit': { delayedTo: { stream: 'default', deliveryTs: START, hops: 1 } },
  'a later store': { indexedAt: START + 90_000 },
};

test.each(Object.entries(cases))('%s is read as it was written, among others', (_name, fields) => {
  const events = [emitted(0, other), emitted(1, fields), emitted(2, other), emitted(3, other), emitted(4)];
  const cut = { ...(fields.ownId === undefined ? {} : { ownId: fields.ownId.slice(0, 1_000) }) };
  const expected = events.map((event, n) => written(n === 1 ? { ...event, ...cut } : event));
  expect(read(events)).toEqual(expected);
});

test('all kinds are read from one item, and its references too', () => {
  const events = Object.values(cases).map((fields, n) => ({ ...emitted(n, fields), ownId: undefined }));
  expect(read(events)).toEqual(events.map(written));
  const refs = fromRefItem('default', toEventItem(emitterId, events)).events;
  expect(refs.toReversed()).toEqual(events.map(({ stream, id, body, bytes }) => ({ stream, id, body, bytes })));
});

test('the newest event keeps the attributes that an earlier release reads', () => {
  const events = [emitted(1), emitted(2)];
  const { p: _, ...newest } = toEventItem(emitterId, events);
  expect(newest).toEqual(toEventItem(emitterId, events.slice(1)));
});

test('ten orders of 160 bytes, each of its own trigger, take one write unit', () => {
  const { p, j } = toEventItem(
    emitterId,
    Array.from({ length: 10 }, (_, n) => emitted(n)),
  );
  expect((p?.length ?? 0) + j.length).toBeLessThan(900);
});

test('an item that is stored is read as it was written, however later releases make emit ids and traces', () => {
  const item = {
    ...{
      sk: '001795800000003-0000000000000000',
      j: '{"n":3}',
      e: 'S4OpRWML11cvXG1PwxK42N',
      t: START + 40,
      n: 207,
    },
    p: new Uint8Array(
      Buffer.from('AQsOelwREUIigzNERFVVZmaLjjbUMdAx0IlWyigpKdBV0lFSitVRgsob1SrpVNfG6kQbgdUYwiUMIRKxAA==', 'base64'),
    ),
  };
  expect(fromEventItem('default', item)[2]).toMatchObject({
    id: eventId({ ms: START + 1, sequence: 0 }),
    emitId: 'fp9kyTsOMoBO9daX1VNa3f',
    json: '{"n":1}',
    trace: { id: '569e4330b661811087d021d4cf542d9f', flags: '01' },
  });
});
