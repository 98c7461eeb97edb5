import * as z from 'zod';
import { newTrace, traceHeaders } from '../event/trace.ts';
import { shownName } from '../event/stream.ts';
import { domainOf, type TargetEvent, type TargetKind, unconfirmed } from './target-kind.ts';

/** The `source` of every event on a bus. */
const EVENT_SOURCE = 'tributary';

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html */
const Output = z.object({
  Entries: z.array(
    z.object({
      EventId: z.string().optional(),
      ErrorCode: z.string().optional(),
      ErrorMessage: z.string().default('EventBridge gave no reason'),
    }),
  ),
});

/** Joined as text: the event stays as it was emitted. */
function detailOf({ body, emitId, emitterId, stream, eventId, indexedAt, trace, now }: TargetEvent): string {
  const { traceparent } = traceHeaders(trace ?? newTrace(emitId), `${now} ${emitId}`);
  const metadata = {
    emit_id: emitId,
    emitter_id: emitterId,
    name: shownName(stream),
    event_id: eventId ?? null,
    indexed_at_ms: indexedAt ?? null,
    traceparent,
  };
  return `{"event":${body.toString()},"metadata":${JSON.stringify(metadata)}}`;
}

/** An event bus of Amazon EventBridge. */
export const eventBus: TargetKind = {
  noun: 'an event bus',
  service: 'events',
  operation: 'PutEvents',
  arn: /^arn:(aws[a-z-]*):events:([a-z]+(?:-[a-z]+)+-\d+):(\d{12}):event-bus\/([\w.-]{1,256})$/,
  urlOf: ({ region, name, ...arn }) => `https://events.${region}.${domainOf(arn)}/${name}`,
  inputOf: (arn, event) => ({
    Entries: [{ EventBusName: arn, Source: EVENT_SOURCE, DetailType: event.stream, Detail: detailOf(event) }],
  }),
  refusalIn(output) {
    const [entry] = Output.safeParse(output).data?.Entries ?? [];
    if (entry?.ErrorCode !== undefined) return { code: entry.ErrorCode, message: entry.ErrorMessage };
    return entry?.EventId === undefined ? unconfirmed('EventBridge') : undefined;
  },
};
