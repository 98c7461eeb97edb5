import * as z from 'zod';
import { type Delivery, TEST_STREAM } from './delivery.ts';
import { DeliveryId, RecoveryId } from '../id.ts';

/** A job that sends a webhook's failed, held and retrying deliveries again. */
export const Recovery = z.object({
  id: RecoveryId,
  /** Deliveries created in this time, epoch ms. */
  since: z.number(),
  until: z.number(),
  status: z.enum(['running', 'done']),
  found: z.number().int(),
  /** Attempts that ended. */
  sent: z.number().int(),
  /** Attempts of these that delivered. A recovery that an earlier release started does not count them. */
  delivered: z.number().int().optional(),
  startedAt: z.number(),
  finishedAt: z.number().optional(),
  /** Number of the chunk that is being sent, or of the next one. */
  chunk: z.number().int().default(0),
  /** Set for an ordered webhook: whether its deliveries are back in order, and only their attempts are counted. */
  isQueued: z.boolean().optional(),
  /** The last delivery that was sent. */
  position: DeliveryId.optional(),
});
export type Recovery = z.infer<typeof Recovery>;

/** Whether a recovery sends the delivery. Tests are never sent again. */
export const isRecoverable = ({ status, stream }: Pick<Delivery, 'status' | 'stream'>): boolean =>
  stream !== TEST_STREAM && (status === 'failed' || status === 'held' || status === 'retrying');
