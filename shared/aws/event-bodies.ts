import type { EventId } from '../domain/event/event-id.ts';
import type { EmitterId } from '../domain/id.ts';
import type { StreamName } from '../domain/event/stream.ts';
import type { Bucket } from './bucket.ts';
import { eventBodyKey } from './object-keys.ts';

interface EventIdentity {
  emitterId: EmitterId;
  stream: StreamName;
  id: EventId;
}

/** Reads event data that is too large for an item of the table. */
export const createEventBodyReader = (bucket: Pick<Bucket, 'getText'>) => ({
  get: ({ emitterId, stream, id }: EventIdentity): Promise<string | undefined> =>
    bucket.getText(eventBodyKey(emitterId, stream, id)),
});

/** Stores event data that is too large for an item of the table, as objects in the bucket. */
export const createEventBodies = (bucket: Pick<Bucket, 'putText' | 'getText' | 'delete'>) => ({
  ...createEventBodyReader(bucket),
  put: ({ emitterId, stream, id }: EventIdentity, json: string | Buffer): Promise<void> =>
    bucket.putText(eventBodyKey(emitterId, stream, id), json),
  delete: ({ emitterId, stream, id }: EventIdentity): Promise<void> =>
    bucket.delete(eventBodyKey(emitterId, stream, id)),
});
