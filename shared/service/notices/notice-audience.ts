import type { Bucket } from '../../aws/bucket.ts';
import { payloadText } from '../../aws/payloads.ts';
import { isSourceId, isWebhookId, ListenerId } from '../../domain/id.ts';
import { NoticeEvent } from '../../domain/notice/notice.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import type { ListenerStore } from '../../store/subscriptions/matching.ts';

/** Whether a listener gets the event of a message. */
export type Accepts = (message: DeliveryMessage, listenerId: ListenerId) => boolean;

interface AudienceContext {
  matching: Pick<ListenerStore, 'emittersOf'>;
  bucket: Pick<Bucket, 'getText'>;
}

interface Audience {
  messages: readonly DeliveryMessage[];
  listeners: readonly ListenerId[];
  accepts: Accepts;
}

/**
 * Leaves out the listeners that must not get a notice: its subject, and the sources and workflows to which its subject
 * listens. Otherwise a notice about a webhook could cause the next event for that webhook.
 */
export async function withoutSubjects(
  context: AudienceContext,
  { messages, listeners, accepts }: Audience,
): Promise<Accepts> {
  const excluded = new Map<DeliveryMessage, ReadonlySet<ListenerId>>();
  for (const message of messages) excluded.set(message, await excludedFrom(context, message, listeners));
  return (message, id) => excluded.get(message)?.has(id) !== true && accepts(message, id);
}

async function excludedFrom(
  { matching, bucket }: AudienceContext,
  { payload }: DeliveryMessage,
  listeners: readonly ListenerId[],
): Promise<ReadonlySet<ListenerId>> {
  const json = await payloadText(bucket, payload);
  const subject = json === undefined ? undefined : NoticeEvent.parse(JSON.parse(json)).id;
  // An account and a user are no listeners.
  const { data: id } = ListenerId.safeParse(subject);
  if (id === undefined) return new Set();
  const emitters = listeners.filter((listener) => !isWebhookId(listener));
  const heard = emitters.length === 0 ? new Set<string>() : await matching.emittersOf(id);
  const isHeard = (listener: ListenerId) => heard.has(listener) || heard.has(isSourceId(listener) ? 'dc_*' : 'p_*');
  return new Set([id, ...emitters.filter(isHeard)]);
}
