import { cut } from '../../lib/cut.ts';
import type { ChatMessage } from './chat-message.ts';

/** Limit of `content`: https://docs.discord.com/developers/resources/webhook#execute-webhook. */
const CONTENT_CHARACTERS = 2_000;
/** Limits of texts before they are escaped, which doubles them at most. */
const TITLE_CHARACTERS = 300;
const LINE_CHARACTERS = 300;
/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
const SUPPRESS_EMBEDS = 4;

/** A message for a webhook of Discord. It mentions nobody, whatever its text. */
export function discordMessageOf({ title, lines, json }: ChatMessage) {
  const head = [
    `**${escaped(cut(title, TITLE_CHARACTERS))}**`,
    ...lines.map((line) => escaped(cut(line, LINE_CHARACTERS))),
  ].join('\n');
  return {
    content: json === undefined ? head : `${head}\n${codeBlock(json, CONTENT_CHARACTERS - head.length - 1)}`,
    allowed_mentions: { parse: [] },
    flags: SUPPRESS_EMBEDS,
  };
}

/**
 * A backslash makes a punctuation mark of Markdown literal, but for a backtick:
 * https://support.discord.com/hc/articles/210298617. An address with backslashes makes no link.
 */
const escaped = (text: string): string => text.replaceAll('`', "'").replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** A code block knows no escapes. In JSON, a backtick may be written as its number. */
function codeBlock(json: string, longest: number): string {
  const [begin, end] = ['```json\n', '\n```'];
  return `${begin}${cut(json.replaceAll('`', '\\u0060'), longest - begin.length - end.length)}${end}`;
}

/**
 * A message for a workflow of Teams with the trigger "When a Teams webhook request is received", at most 28 KB:
 * https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook. A text run knows no Markdown:
 * https://adaptivecards.io/explorer/TextRun.html.
 */
export const teamsMessageOf = ({ title, lines, json }: ChatMessage) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          paragraph({ text: title, weight: 'Bolder', size: 'Medium' }),
          ...lines.map((text) => paragraph({ text })),
          ...(json === undefined ? [] : [paragraph({ text: json, fontType: 'Monospace' })]),
        ],
      },
    },
  ],
});

interface TextRun {
  text: string;
  weight?: 'Bolder';
  size?: 'Medium';
  fontType?: 'Monospace';
}

const paragraph = (run: TextRun) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', ...run }] });

/** Longest text of a notification. Escaping makes it five times as long at most, and Slack recommends 4,000. */
const NOTIFICATION_CHARACTERS = 700;

/**
 * A message for an incoming webhook of Slack,
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
 * Texts of a rich text block are no mrkdwn, so they make no mention, link or style:
 * https://docs.slack.dev/reference/block-kit/blocks/rich-text-block.
 */
export const slackMessageOf = ({ title, lines, json }: ChatMessage) => ({
  // Notifications and screen readers get this text, which is mrkdwn.
  text: escapedMrkdwn(cut([title, ...lines].join('\n'), NOTIFICATION_CHARACTERS)),
  blocks: [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: title, style: { bold: true } },
            ...lines.map((line) => ({ type: 'text', text: `\n${line}` })),
          ],
        },
        ...(json === undefined ? [] : [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: json }] }]),
      ],
    },
  ],
});

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escapedMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
