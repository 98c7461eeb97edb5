import { type EmitterId, isSourceId, isWebhookId, type ListenerId } from '../../domain/id.ts';
import { sourceKey, webhookKey, workflowKey } from './keys.ts';

export function itemKeyOf(id: EmitterId | ListenerId) {
  if (isSourceId(id)) return sourceKey(id);
  return isWebhookId(id) ? webhookKey(id) : workflowKey(id);
}
