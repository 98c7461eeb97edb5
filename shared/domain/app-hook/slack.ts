import * as z from 'zod';
import { depthOf, MAX_JSON_DEPTH } from '../../lib/json-text.ts';
import type { AppHook } from './app-request.ts';
import { textResponse, visible } from './challenge.ts';
import { signatureProblem } from './signed-body.ts';

/** `type` of an interaction: https://docs.slack.dev/reference/interaction-payloads */
const INTERACTIONS: ReadonlySet<string> = new Set([
  'block_actions',
  'block_suggestion',
  'dialog_cancellation',
  'dialog_submission',
  'dialog_suggestion',
  'interactive_message',
  'message_action',
  'shortcut',
  'view_closed',
  'view_submission',
  'workflow_step_edit',
]);

const UrlVerification = z.object({ type: z.literal('url_verification'), challenge: z.string() });
/** Not read member by member, which would drop names such as `__proto__`. */
const InnerEvent = z.custom<object>((value) => typeof value === 'object' && value !== null);
const EventCallback = z.object({ type: z.literal('event_callback'), event: InnerEvent });
const Form = z.object({ payload: z.string() });

const Text = z.string().optional().catch(undefined);
const SlackEvent = z.object({
  type: Text,
  channel_type: Text,
  channel: z
    .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
    .optional()
    .catch(undefined),
  item: z.object({ channel: Text }).optional().catch(undefined),
  actions: z.array(z.object({ action_id: Text })).catch([]),
});

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const slackHook: AppHook = {
  secretField: 'signing_secret',
  signatureProblem: signatureProblem({ signature: 'x-slack-signature', time: 'x-slack-request-timestamp' }),
  signedCheck({ text }) {
    const asked = UrlVerification.safeParse(JSON.parse(text)).data;
    return asked && textResponse(visible('challenge', asked.challenge));
  },
  eventText({ text }) {
    const body: unknown = JSON.parse(text);
    const callback = EventCallback.safeParse(body).data;
    if (callback) return JSON.stringify(callback.event);
    return interactionText(Form.safeParse(body).data?.payload) ?? text;
  },
  names(event) {
    const read = SlackEvent.safeParse(event).data;
    if (read?.type === undefined) return [];
    const { type, channel_type: channelType, item, channel = item?.channel, actions } = read;
    if (INTERACTIONS.has(type))
      return [undefined, ...actions.map(({ action_id: id }) => id)].flatMap((id) => [
        joined('interaction_events', id),
        joined('interaction_events', channel, id),
      ]);
    return [
      type,
      ...(channelType === undefined ? [] : [`${type}.${channelType}`]),
      ...(channel === undefined ? [] : [channel, joined(type, channel)]),
    ];
  },
};

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(':');

/** The object of an interaction, which comes as a field of a form. */
function interactionText(payload: string | undefined): string | undefined {
  if (payload === undefined || depthOf(payload) > MAX_JSON_DEPTH) return undefined;
  try {
    return InnerEvent.safeParse(JSON.parse(payload)).success ? payload : undefined;
  } catch {
    return undefined;
  }
}
