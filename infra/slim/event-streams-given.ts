import type { EventStreamSerde, eventStreamSerdeProvider } from '@smithy/core/event-streams';

interface EventStreams {
  EventStreamSerde: typeof EventStreamSerde;
  eventStreamSerdeProvider: typeof eventStreamSerdeProvider;
}

let given: EventStreams | undefined;

export const give = (streams: EventStreams): void => {
  given = streams;
};

/** Stands in for an `import()` in the SDK's protocols, which would bring event streams into every bundle, and keep all that they touch whole. */
export function eventStreams(): EventStreams {
  if (!given)
    throw new Error(
      'Event streams are left out of the bundles of functions without the Lambda client (infra/slim)',
    );
  return given;
}
