import {
  EventStreamSerde,
  eventStreamSerdeProvider,
  resolveEventStreamSerdeConfig,
} from '@smithy/core/event-streams';
import { give } from './event-streams-given.ts';

give({ EventStreamSerde, eventStreamSerdeProvider });

/** What a client reads and writes event streams with; only that of Lambda does. */
export { eventStreamSerdeProvider, resolveEventStreamSerdeConfig };
