import type { Bucket } from '../../aws/bucket.ts';
import { emitterOfPayload, payloadsOf } from '../../aws/object-keys.ts';
import { EmitterId } from '../../domain/id.ts';
import type { ListPayloads } from '../../store/users/stored-bytes.ts';

/** Lists the payloads of a user's triggers and delivery messages. */
export const createPayloadList =
  (bucket: Pick<Bucket, 'list'>): ListPayloads =>
  async (ownerId) => {
    const listed = await bucket.list(payloadsOf(ownerId));
    return listed.map(({ key, bytes }) => ({
      emitterId: EmitterId.safeParse(emitterOfPayload(key)).data,
      bytes,
    }));
  };
