import * as z from 'zod';
import { CHAT_APPS } from '../../../shared/domain/webhook/webhook-format.ts';
import { NOTICE_NAMES, NOTICE_TITLES, testNotice } from '../../../shared/domain/notice/notice-names.ts';
import type { CommandTree, OptionLine } from '../command-tree.ts';
import { sendTest } from '../commands/webhook-actions.ts';
import { unknownName } from '../failures.ts';
import { noticesId, webhookNamed } from '../input/resolve-name.ts';
import type { Column } from '../output/text-table.ts';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/command-session.ts';
import { namesOf } from '../session/names-of.ts';
import { Subscription } from '../session/response-schemas.ts';
import { receiverOf } from './notice-receiver.ts';

const KIND: OptionLine = ['--kind <name...>', `one of ${NOTICE_NAMES.join(', ')}; all of them by default`];
const Kinds = z.array(z.enum(NOTICE_NAMES, `must be one of ${NOTICE_NAMES.join(', ')}`)).optional();
const FORMAT: OptionLine = [
  `--format <${CHAT_APPS.join('|')}>`,
  'app of an address; by default the one of its host, such as hooks.slack.com',
];
const Named = z.object({ webhook: z.string() });
const Chosen = Named.extend({ kind: Kinds });
const Added = Chosen.extend({
  name: z.string().optional(),
  format: z.enum(CHAT_APPS, `must be one of ${CHAT_APPS.join(', ')}`).optional(),
});

/** `notices list | add | test | remove`: subscriptions to the user's notices. */
export function addNoticeCommands({ group, leaf }: CommandTree): void {
  const notices = group('notices', 'Notices of failures, for a webhook or a channel of Slack, Discord or Teams.');
  leaf(notices, {
    usage: 'list',
    about: 'List the receivers of notices.',
    input: z.object({}),
    examples: [
      ['tributary notices list', 'all of them'],
      ['tributary notices list --json', 'their subscriptions, for programs'],
    ],
    run: async (session) => {
      const all = await subscriptionsToNotices(await session.api());
      session.output.list(all, await columnsOf(session, all));
    },
  });
  leaf(notices, {
    usage: 'add <webhook>',
    about: 'Send notices to a webhook, or to the channel of an address of Slack, Discord or Teams.',
    options: [KIND, FORMAT, ['--name <name>', 'name of the new webhook; by default that of the app']],
    input: Added,
    examples: [
      ['tributary notices add https://hooks.slack.com/services/T0/B0/x', 'all notices, to a channel of Slack'],
      ['tributary notices add alerts --kind webhook.failing --kind source.failed', 'two kinds, to a webhook'],
    ],
    run: add,
  });
  leaf(notices, {
    usage: 'test <webhook>',
    about: 'Send a test notice to a webhook, by its name or its address.',
    input: Named,
    examples: [
      ['tributary notices test alerts', 'exit 1 if it fails'],
      ['tributary notices test https://hooks.slack.com/services/T0/B0/x', 'by the address'],
    ],
    run: async (session, { webhook }) => {
      const id = await webhookNamed(await session.api(), webhook);
      await sendTest(session, id, testNotice(id, Date.now()));
    },
  });
  leaf(notices, {
    usage: 'remove <webhook>',
    about: 'Send a webhook no more notices. The webhook stays.',
    options: [KIND],
    input: Chosen,
    examples: [
      ['tributary notices remove alerts', 'of all kinds'],
      ['tributary notices remove alerts --kind quota.reached', 'of one kind'],
    ],
    run: remove,
  });
}

/** Repeated after a failure, it makes what is missing: a subscription that exists stays, with its filter. */
async function add(session: Session, { webhook, kind = [...NOTICE_NAMES], ...settings }: z.infer<typeof Added>) {
  const api = await session.api();
  const emitter_id = await noticesId(api);
  const listener_id = await receiverOf(session, { webhook, ...settings });
  const existing = (await subscriptionsToNotices(api)).filter(({ listener_id: id }) => id === listener_id);
  const added: Subscription[] = [];
  for (const event_name of new Set(kind)) {
    const found = existing.find(({ event_name: name }) => name === event_name);
    const body = { emitter_id, listener_id, event_name };
    added.push(found ?? (await api.send('POST', '/subscriptions', Subscription, { body })));
  }
  session.output.list(added, await columnsOf(session, added));
}

async function remove({ api: connect, output }: Session, { webhook, kind }: z.infer<typeof Chosen>): Promise<void> {
  const api = await connect();
  const id = await webhookNamed(api, webhook);
  const kinds = new Set<string>(kind ?? NOTICE_NAMES);
  const found = (await subscriptionsToNotices(api)).filter(
    ({ listener_id: listener, event_name: name }) => listener === id && kinds.has(name),
  );
  if (found.length === 0) throw unknownName(`${webhook} gets no such notices.`);
  for (const { emitter_id, listener_id, event_name } of found)
    await api.delete('/subscriptions', { emitter_id, listener_id, event_name });
  const removed = found.map(({ event_name: name }) => name);
  output.result({ id, removed }, `${webhook} gets no more notices of ${removed.join(', ')}.`);
}

async function subscriptionsToNotices(api: Api): Promise<Subscription[]> {
  const emitter = await noticesId(api);
  const all = await api.get('/users/me/subscriptions', z.array(Subscription));
  return all.filter(({ emitter_id: id }) => id === emitter);
}

async function columnsOf(
  { api: connect, output }: Session,
  items: readonly Subscription[],
): Promise<readonly Column<Subscription>[]> {
  if (!output.hasColumns) return [];
  const listeners = items.map(({ listener_id: id }) => id);
  const name = await namesOf(await connect(), listeners);
  const titles = new Map<string, string>(Object.entries(NOTICE_TITLES));
  return [
    { heading: 'KIND', of: ({ event_name: kind }) => kind },
    { heading: 'LISTENER', of: ({ listener_id: id }) => name(id) },
    { heading: 'WHEN', drop: 1, of: ({ event_name: kind }) => titles.get(kind) },
    { heading: 'LISTENER ID', isWide: true, of: ({ listener_id: id }) => id },
  ];
}
