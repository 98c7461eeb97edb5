import * as z from 'zod';

/* The bodies that other services take, as their documentation has them. A member that it does not name is refused. */

/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
const SlackText = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1),
  style: z.strictObject({ bold: z.boolean() }).partial().optional(),
});

/**
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. Slack recommends 4,000 characters of text,
 * and cuts it at 40,000 (https://docs.slack.dev/reference/methods/chat.postMessage); a text object has 3,000
 * (https://docs.slack.dev/reference/block-kit/composition-objects/text-object).
 */
export const SlackMessage = z.strictObject({
  text: z.string().min(1).max(4_000),
  blocks: z
    .array(
      z.strictObject({
        type: z.literal('rich_text'),
        elements: z
          .array(
            z.strictObject({
              type: z.enum(['rich_text_section', 'rich_text_preformatted']),
              elements: z
                .array(SlackText)
                .min(1)
                .refine((elements) => elements.map(({ text }) => text).join('').length <= 3_000),
            }),
          )
          .min(1),
      }),
    )
    .min(1)
    .max(50),
});

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
export const DiscordMessage = z.strictObject({
  content: z.string().min(1).max(2_000),
  allowed_mentions: z.strictObject({ parse: z.array(z.enum(['roles', 'users', 'everyone'])) }),
  /** `SUPPRESS_EMBEDS`, `SUPPRESS_NOTIFICATIONS` and `IS_COMPONENTS_V2` can be set, the last one without content. */
  flags: z.int().refine((flags) => (flags & ~((1 << 2) | (1 << 12))) === 0),
});

/** https://adaptivecards.io/explorer/TextRun.html */
const TextRun = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string(),
  weight: z.enum(['Default', 'Lighter', 'Bolder']).optional(),
  size: z.enum(['Default', 'Small', 'Medium', 'Large', 'ExtraLarge']).optional(),
  fontType: z.enum(['Default', 'Monospace']).optional(),
});

/** https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook */
export const TeamsMessage = z
  .strictObject({
    type: z.literal('message'),
    attachments: z
      .array(
        z.strictObject({
          contentType: z.literal('application/vnd.microsoft.card.adaptive'),
          contentUrl: z.null(),
          content: z.strictObject({
            $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
            type: z.literal('AdaptiveCard'),
            version: z.enum(['1.2', '1.3', '1.4', '1.5']),
            body: z
              .array(z.strictObject({ type: z.literal('RichTextBlock'), inlines: z.array(TextRun).min(1) }))
              .min(1),
          }),
        }),
      )
      .length(1),
  })
  .refine((message) => Buffer.byteLength(JSON.stringify(message)) <= 28 * 1_024, 'A message has at most 28 KB');

/** The required and optional attributes of https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md. */
export const CloudEvent = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.string().min(1),
  /** A URI reference. */
  source: z.string().refine((source) => source !== '' && URL.canParse(source, 'https://base.example')),
  type: z.string().min(1),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  data: z.unknown(),
});
