import { unlessMissing } from '../failures.ts';
import { eventText } from '../output/event-lines.ts';
import type { Api } from '../session/api.ts';
import type { Delivery, Summary } from '../session/response-schemas.ts';
import { lastEvents, READABLE } from './event-reader.ts';
import { inBatches } from './in-batches.ts';

/** The text of a delivery's event; empty when the event is no longer readable. */
export type EventTextOf = (delivery: Delivery) => string;

type Stream = Pick<Delivery, 'event_name'> & { emitter_id: string };

/** Streams that are read for their texts. */
const MAX_STREAMS = 8;

const keyOf = ({ emitter_id: emitter, event_name: stream }: Pick<Delivery, 'emitter_id' | 'event_name'>): string =>
  `${emitter ?? ''} ${stream ?? ''}`;

/** The texts of the events of deliveries. A delivery names its event, so the last events of its stream are read. */
export async function eventTexts(api: Pick<Api, 'list'>, deliveries: readonly Delivery[]): Promise<EventTextOf> {
  const streams = new Map(
    deliveries.flatMap(({ emitter_id, event_id, event_name }) =>
      emitter_id === null || event_id === null
        ? []
        : [[keyOf({ emitter_id, event_name }), { emitter_id, event_name }] as const],
    ),
  );
  const read = await inBatches([...streams.values()].slice(0, MAX_STREAMS), async (stream) =>
    (await readable(api, stream)).map((event) => [`${keyOf(stream)} ${event.id}`, eventText(event)] as const),
  );
  const texts = new Map(read.flat());
  return (delivery) => texts.get(`${keyOf(delivery)} ${delivery.event_id ?? ''}`) ?? '';
}

/** A source that was deleted has no events. */
async function readable(api: Pick<Api, 'list'>, { emitter_id, event_name }: Stream): Promise<Summary[]> {
  const ref = { emitterId: emitter_id, stream: event_name || undefined };
  return (await unlessMissing(lastEvents(api, ref, { limit: READABLE, whole: false }))) ?? [];
}
