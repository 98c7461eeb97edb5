import * as z from 'zod';
import { UserId, WorkflowId } from '../id.ts';
import { StoredSecret } from '../delivery/signing-secret.ts';

/** The fields of a workflow that the operator sets. */
export const WorkflowSettings = z.object({
  name: z.string(),
  /** An http(s) URL, or the ARN of an event bus or a queue. */
  target: z.string(),
});
export type WorkflowSettings = z.infer<typeof WorkflowSettings>;

/**
 * A workflow that runs outside the service. The operator registers it; it emits through the ingress and listens through
 * its target.
 */
export const Workflow = WorkflowSettings.extend({
  id: WorkflowId,
  ownerId: UserId,
  /** SHA-256 hex of the credential for the ingress. */
  credentialHash: z.string(),
  /** Signing secret for deliveries to an http(s) target. */
  secret: StoredSecret,
  /** True from the deletion until the purge; a deleted workflow is invisible to all readers. */
  deleting: z.boolean().optional(),
  /** The owner is suspended since then, epoch ms: deliveries to the target are held. */
  suspendedAt: z.number().optional(),
  createdAt: z.number(),
});
export type Workflow = z.infer<typeof Workflow>;
