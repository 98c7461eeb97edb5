import * as z from 'zod';
import { UserId, WorkflowId } from './id.ts';

/** Run by something else: registered by an operator, emits through the ingress, listens through its target. */
export const Workflow = z.object({
  id: WorkflowId,
  ownerId: UserId,
  name: z.string(),
  /** An http(s) address, or the ARN of a state machine or an event bus. */
  target: z.string(),
  /** SHA-256 hex of the credential it emits with. */
  credentialHash: z.string(),
  /** Signs what is delivered to an http(s) target. */
  secret: z.string(),
  /** A deleted one is gone for every reader until its queue has been worked off. */
  deleting: z.boolean().optional(),
  createdAt: z.number(),
});
export type Workflow = z.infer<typeof Workflow>;
