import * as z from 'zod';
import { UserId, WorkflowId } from './id.ts';
import { StoredSecret } from './signing-secret.ts';

/** A workflow that runs outside the service. The operator registers it; it emits through the ingress and listens through its target. */
export const Workflow = z.object({
  id: WorkflowId,
  ownerId: UserId,
  name: z.string(),
  /** An http(s) URL, or the ARN of a state machine or an event bus. */
  target: z.string(),
  /** SHA-256 hex of the credential for the ingress. */
  credentialHash: z.string(),
  /** Signing secret for deliveries to an http(s) target. */
  secret: StoredSecret,
  /** True from the deletion until the purge; a deleted workflow is invisible to all readers. */
  deleting: z.boolean().optional(),
  createdAt: z.number(),
});
export type Workflow = z.infer<typeof Workflow>;
