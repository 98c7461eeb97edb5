import type { EventId } from '../domain/event-id.ts';
import type { EmitterId } from '../domain/id.ts';
import type { StreamName } from '../domain/stream.ts';
import type { Bucket } from './bucket.ts';
import { eventBodyKey } from './object-keys.ts';

interface EventPlace {
  emitterId: EmitterId;
  stream: StreamName;
  id: EventId;
}

/** Reads event data that no item of the table can hold. */
export const createEventBodyReader = (bucket: Pick<Bucket, 'getText'>) => ({
  get: ({ emitterId, stream, id }: EventPlace): Promise<string | undefined> =>
    bucket.getText(eventBodyKey(emitterId, stream, id)),
});

/** Event data that no item of the table can hold, as objects of the bucket. */
export const createEventBodies = (bucket: Pick<Bucket, 'putText' | 'getText' | 'delete'>) => ({
  ...createEventBodyReader(bucket),
  put: ({ emitterId, stream, id }: EventPlace, json: string): Promise<void> =>
    bucket.putText(eventBodyKey(emitterId, stream, id), json),
  delete: ({ emitterId, stream, id }: EventPlace): Promise<void> =>
    bucket.delete(eventBodyKey(emitterId, stream, id)),
});
