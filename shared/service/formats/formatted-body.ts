import type { OutgoingEvent } from '../../domain/delivery/signature.ts';
import { type ChatMessage, chatMessageOf } from '../../domain/format/chat-message.ts';
import { cloudEventOf } from '../../domain/format/cloud-event.ts';
import { discordMessageOf, teamsMessageOf, slackMessageOf } from '../../domain/format/chat-messages.ts';
import type { ChatApp, WebhookFormat } from '../../domain/webhook/webhook-format.ts';
import { isWebhookId } from '../../domain/id.ts';
import { NOTICES_NAME } from '../../domain/notice/notice-names.ts';
import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import type { ListenerStore } from '../../store/subscriptions/matching.ts';

const MESSAGES: Readonly<Record<ChatApp, (message: ChatMessage) => object>> = {
  slack: slackMessageOf,
  discord: discordMessageOf,
  teams: teamsMessageOf,
};

interface FormatServices {
  matching: Pick<ListenerStore, 'listener'>;
  now(): number;
}

interface FormattedTarget {
  name: string | null;
  format: WebhookFormat;
}

export async function formattedBody(
  { matching, now }: FormatServices,
  target: FormattedTarget,
  event: OutgoingEvent,
): Promise<Buffer> {
  const { format } = target;
  if (format === 'event') return event.body;
  if (format === 'cloudevents') return cloudEventOf(event, now());
  const message = chatMessageOf(event, await emitterName({ matching }, target, event));
  return Buffer.from(JSON.stringify(MESSAGES[format](message)));
}

/** The id if the emitter was deleted. */
async function emitterName(
  { matching }: Pick<FormatServices, 'matching'>,
  { name }: FormattedTarget,
  { emitterId }: OutgoingEvent,
): Promise<string> {
  // A test comes from the webhook itself.
  if (isWebhookId(emitterId)) return name ?? emitterId;
  if (isNoticesId(emitterId)) return NOTICES_NAME;
  const emitter = await matching.listener(emitterId);
  if (emitter?.kind === 'source') return emitter.source.configuration.name;
  return emitter?.kind === 'workflow' ? emitter.workflow.name : emitterId;
}
