import { EventStreamSerde, eventStreamSerdeProvider, resolveEventStreamSerdeConfig } from '@smithy/core/event-streams';
import { provide } from './event-streams.ts';

provide({ EventStreamSerde, eventStreamSerdeProvider });

/** Replaces event streams for the Lambda client: the response of the runner is one. */
export { eventStreamSerdeProvider, resolveEventStreamSerdeConfig };
