import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { TEST_STREAM } from '../../../../../shared/domain/delivery/delivery.ts';
import type { OutgoingEvent } from '../../../../../shared/domain/delivery/signature.ts';
import { type ChatMessage, chatMessageOf } from '../../../../../shared/domain/format/chat-message.ts';
import { discordMessageOf, teamsMessageOf, slackMessageOf } from '../../../../../shared/domain/format/chat-messages.ts';
import { SourceId, UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { NOTICE_NAMES, testNotice } from '../../../../../shared/domain/notice/notice-names.ts';
import { noticesIdOf } from '../../../../../shared/domain/notice/notices-emitter.ts';
import { DiscordMessage, SlackMessage, TeamsMessage } from '../../../../support/published-messages.ts';

const notices = noticesIdOf(UserId.parse('u_1'));
const source = SourceId.parse('dc_1');
const webhook = WebhookId.parse('wh_1');

const notice = { id: 'wh_2', name: 'crm', what: 'It answers 500.', since: '2026-11-30T09:41:51.250Z' };
const outgoing = (more: Partial<OutgoingEvent>, event: unknown): OutgoingEvent => ({
  emitId: 'emit-1',
  emitterId: source,
  stream: 'default',
  body: Buffer.from(JSON.stringify(event)),
  ...more,
});
const ofNotice = (stream: string, event: object = notice): ChatMessage =>
  chatMessageOf(outgoing({ emitterId: notices, stream }, event), 'notices');

/** Mentions, links and styles of all three apps. */
const MARKUP =
  '@everyone <!channel> <@U1> <@&1> [x](https://evil.example) <https://evil.example|y> https://evil.example **b** _i_ ' +
  '~s~ `c` ```d``` ||e|| # h\n> q\n- l & <at>all</at> :tada: \\* \u{1f600}';

const APPS: readonly [string, (message: ChatMessage) => object, z.ZodType][] = [
  ['Slack', slackMessageOf, SlackMessage],
  ['Discord', discordMessageOf, DiscordMessage],
  ['Teams', teamsMessageOf, TeamsMessage],
];

describe('the text of a message', () => {
  test('is the title, the sentence and the time of a notice', () => {
    expect(ofNotice('webhook.failing')).toEqual({
      title: 'Webhook fails: crm',
      lines: ['It answers 500.', 'Since 2026-11-30 09:41:51 UTC'],
    });
    const titles = NOTICE_NAMES.map((name) => ofNotice(name).title);
    expect(new Set(titles).size).toBe(NOTICE_NAMES.length);
  });

  test('is that of a notice also for a test with the form of one', () => {
    const event = outgoing({ emitterId: webhook, stream: TEST_STREAM }, testNotice(webhook, Date.UTC(2026, 10, 30)));
    expect(chatMessageOf(event, 'chat')).toEqual({
      title: 'Test: notices',
      lines: ['This is a test. Notices will arrive here.', 'Since 2026-11-30 00:00:00 UTC'],
    });
  });

  test('is emitter, stream and JSON of another event, also of one that looks like a notice', () => {
    expect(chatMessageOf(outgoing({ stream: 'paid' }, notice), 'orders')).toEqual({
      title: 'orders: paid',
      lines: [],
      json: JSON.stringify(notice),
    });
    const aTest = chatMessageOf(outgoing({ emitterId: webhook, stream: TEST_STREAM }, { test: true }), 'chat');
    expect(aTest).toEqual({ title: 'chat: $test', lines: [], json: '{"test":true}' });
  });

  test('is cut within no character', () => {
    const { json = '' } = chatMessageOf(outgoing({}, { text: '\u{1f600}'.repeat(300_000) }), 'orders');
    expect(json.length).toBeLessThan(2_600);
    expect(json).toMatch(/^\{"text":"\u{1f600}+…$/u);
  });
});

describe.each(APPS)('a message of %s', (_, messageOf, schema) => {
  test.each([
    ['a notice', ofNotice('webhook.failing')],
    [
      'a notice with the longest texts',
      ofNotice('source.errors', { ...notice, name: '&'.repeat(255), what: '<'.repeat(300) }),
    ],
    ['a notice with markup', ofNotice('source.errors', { ...notice, name: MARKUP, what: MARKUP })],
    ['an event', chatMessageOf(outgoing({}, { id: 7 }), 'orders')],
    ['a value', chatMessageOf(outgoing({}, null), 'orders')],
    [
      'an event of 1 MiB',
      chatMessageOf(outgoing({ stream: '&'.repeat(128) }, { text: '"`&'.repeat(349_000) }), '_'.repeat(255)),
    ],
  ])('about %s is as the app documents it', (_name, message) => {
    expect(schema.safeParse(messageOf(message)).error?.issues).toBeUndefined();
  });
});

describe('markup of an event', () => {
  const marked = ofNotice('source.errors', { ...notice, name: MARKUP, what: MARKUP });
  const event = chatMessageOf(outgoing({ stream: MARKUP.slice(0, 100) }, { text: MARKUP }), MARKUP);

  test.each([marked, event])('is plain text in Slack', (message) => {
    const { text, blocks } = SlackMessage.parse(slackMessageOf(message));
    expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    // The schema has no element but text, which is shown as it is.
    const shown = blocks.flatMap(({ elements }) => elements.flatMap((each) => each.elements.map((run) => run.text)));
    expect(shown.join('')).toBe([message.title, ...message.lines.map((line) => `\n${line}`), message.json].join(''));
  });

  test.each([marked, event])('is plain text in Discord, and mentions nobody', (message) => {
    const { content, allowed_mentions: mentions } = DiscordMessage.parse(discordMessageOf(message));
    expect(mentions).toEqual({ parse: [] });
    const [head = '', code, ...more] = content.split('```');
    const [, title = '', lines = ''] = /^\*\*(.*?[^\\])\*\*(.*)$/s.exec(head) ?? expect.fail('the title is not bold');
    for (const escaped of [title, lines])
      expect(escaped.replace(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[!-/:-@[-`{-~]/);
    expect(head).not.toContain('`');
    if (message.json === undefined) return;
    expect(more).toEqual(['']);
    expect(JSON.parse(code?.replace(/^json\n/, '') ?? '')).toEqual({ text: MARKUP });
  });

  test.each([marked, event])('is plain text in Teams', (message) => {
    const [card] = TeamsMessage.parse(teamsMessageOf(message)).attachments;
    // The schema has no element but text runs, which know no Markdown.
    const shown = card?.content.body.flatMap(({ inlines }) => inlines.map(({ text }) => text));
    expect(shown).toEqual([message.title, ...message.lines, ...(message.json === undefined ? [] : [message.json])]);
  });
});
