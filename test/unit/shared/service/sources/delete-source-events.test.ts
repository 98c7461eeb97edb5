import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import { StreamName } from '../../../../../shared/domain/event/stream.ts';
import { MAX_STREAMS } from '../../../../../shared/domain/limits.ts';
import { DeleteEventsTrigger, type Trigger } from '../../../../../shared/domain/run/message.ts';
import { deleteSourceEvents } from '../../../../../shared/service/sources/delete-source-events.ts';
import { openWorld } from '../../../../support/world/world.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const LARGEST_ITEM_BYTES = 400 * 1024;

test('a deletion of all streams fits the items of a backlog, however long the names of the streams are', async () => {
  const world = await openWorld();
  try {
    await world.user();
    const source = await world.source();
    const names = Array.from({ length: MAX_STREAMS }, (_, n) => StreamName.parse(`${n}` + '\ud800'.repeat(124)));
    const sent: Trigger[] = [];
    await deleteSourceEvents(
      {
        ...world.services,
        events: { streams: async () => names },
        newestEvent: async () => eventId({ ms: world.clock.now(), sequence: 999_999 }),
        sendTriggers: async (triggers) => void sent.push(...triggers),
        random: (bytes) => randomBytes(bytes),
      },
      { id: source.id, userId: world.ownerId, start: undefined, end: undefined, eventName: undefined },
    );
    const covered = sent.flatMap((trigger) => DeleteEventsTrigger.parse(trigger).ranges);
    expect(covered.map(({ stream }) => stream)).toEqual(names);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
    for (const trigger of sent)
      expect(Buffer.byteLength(JSON.stringify(trigger))).toBeLessThan(LARGEST_ITEM_BYTES - 4_096);
  } finally {
    await world.close();
  }
});
