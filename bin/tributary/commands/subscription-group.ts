import * as z from 'zod';
import { streamOf } from '../../../shared/domain/event/stream.ts';
import type { SubscriptionSettings } from '../../../shared/domain/subscription/subscription.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';
import type { Api } from '../session/api.ts';
import { AutoSubscription, Subscription } from '../session/response-schemas.ts';
import type { CommandTree } from '../command-tree.ts';
import { confirmDelete } from '../input/confirm.ts';
import { unknownName } from '../failures.ts';
import { jsonOrFile } from '../input/read-input.ts';
import { EMITTERS, idNamed, LISTENERS } from '../input/resolve-name.ts';
import { Confirmed, FILTER, STREAM, Stream, YES } from './shared-options.ts';
import type { Session } from '../session/command-session.ts';
import { namesOf } from '../session/names-of.ts';
import type { Column } from '../output/text-table.ts';
import type { Terminal } from '../terminal.ts';

const SETTINGS = {
  filter: { heading: 'FILTER', drop: 1, of: ({ filter }) => (filter == null ? '' : JSON.stringify(filter)) },
} satisfies WireFields<SubscriptionSettings, Column<{ filter?: unknown }>>;

/** Columns with the names of emitters and listeners; their ids with `-o wide`. */
async function columnsOf(
  { api: connect, output }: Session,
  items: readonly Subscription[],
): Promise<readonly Column<Subscription>[]> {
  if (!output.hasColumns) return [];
  const ids = items.flatMap(({ emitter_id: emitter, listener_id: listener }) => [emitter, listener]);
  const name = await namesOf(await connect(), ids);
  return [
    { heading: 'ID', of: ({ id }) => id },
    { heading: 'EMITTER', of: ({ emitter_id: id }) => name(id) },
    { heading: 'LISTENER', of: ({ listener_id: id }) => name(id) },
    { heading: 'STREAM', drop: 2, of: ({ event_name: stream }) => streamOf(stream) },
    ...Object.values(SETTINGS),
    { heading: 'EMITTER ID', isWide: true, of: ({ emitter_id: id }) => id },
    { heading: 'LISTENER ID', isWide: true, of: ({ listener_id: id }) => id },
  ];
}

async function autoColumnsOf(
  { api: connect, output }: Session,
  items: readonly AutoSubscription[],
): Promise<readonly Column<AutoSubscription>[]> {
  if (!output.hasColumns) return [];
  const listeners = items.map(({ listener_id: id }) => id);
  const name = await namesOf(await connect(), listeners);
  return [
    { heading: 'ID', of: ({ id }) => id },
    { heading: 'STREAM', of: ({ event_name: stream }) => streamOf(stream) },
    { heading: 'LISTENER', of: ({ listener_id: id }) => name(id) },
    ...Object.values(SETTINGS),
    { heading: 'LISTENER ID', isWide: true, of: ({ listener_id: id }) => id },
  ];
}

const Pair = z.object({ emitter: z.string(), listener: z.string(), stream: Stream });
const AutoPair = z.object({ stream: z.string(), listener: z.string() });
const Filtered = { filter: z.string().optional() };
const Nothing = z.object({});

/** `subscriptions` and `auto-subscriptions`. */
export function addSubscriptionCommands(tree: CommandTree): void {
  addSubscriptions(tree);
  addAutoSubscriptions(tree);
}

function addSubscriptions({ group, leaf }: CommandTree): void {
  const subscriptions = group('subscriptions', 'Listeners of sources and workflows.');
  leaf(subscriptions, {
    usage: 'list',
    about: 'List your subscriptions, newest first.',
    input: Nothing,
    examples: [
      ['tributary subscriptions list', 'all of them'],
      ['tributary subscriptions list --json', 'with their filters, for programs'],
    ],
    run: async (session) => {
      const api = await session.api();
      const all = await api.get('/users/me/subscriptions', z.array(Subscription));
      session.output.list(all, await columnsOf(session, all));
    },
  });
  leaf(subscriptions, {
    usage: 'create <emitter> <listener>',
    about: 'Make a source, workflow or webhook receive the events of a source or workflow.',
    options: [STREAM, FILTER],
    input: Pair.extend(Filtered),
    examples: [
      ['tributary subscriptions create orders shop-hook', 'the default stream, by slug and name'],
      ["tributary subscriptions create 'dc_*' wh_1a2b3c --stream '$errors'", 'the errors of every source'],
    ],
    run: async (session, { filter, ...pair }) => {
      const api = await session.api();
      const body = { ...(await pairOf(api, pair)), ...(await settingsOf(session.terminal, filter)) };
      const made = await api.send('POST', '/subscriptions', Subscription, { body });
      session.output.object(made, await columnsOf(session, [made]));
    },
  });
  leaf(subscriptions, {
    usage: 'delete <emitter> <listener>',
    about: 'Remove a subscription.',
    options: [STREAM, YES],
    input: Pair.extend(Confirmed.shape),
    examples: [
      ['tributary subscriptions delete orders shop-hook', 'asks before'],
      ["tributary subscriptions delete orders shop-hook --stream '$errors' --yes", 'of another stream'],
    ],
    run: async (session, { yes, ...pair }) => {
      const api = await session.api();
      const query = await pairOf(api, pair);
      const all = await api.get('/users/me/subscriptions', z.array(Subscription));
      const found = all.find(
        (each) =>
          each.emitter_id === query.emitter_id &&
          each.listener_id === query.listener_id &&
          streamOf(each.event_name) === streamOf(pair.stream),
      );
      if (!found) throw unknownName(`There is no subscription of ${pair.listener} to ${pair.emitter}.`);
      await confirmDelete(session, `the subscription of ${pair.listener} to ${pair.emitter}`, yes);
      await api.delete('/subscriptions', query);
      session.output.deleted(found.id);
    },
  });
}

function addAutoSubscriptions({ group, leaf }: CommandTree): void {
  const subscriptions = group('auto-subscriptions', 'Listeners of every source and workflow yet to come.');
  leaf(subscriptions, {
    usage: 'list',
    about: 'List your auto-subscriptions, newest first.',
    input: Nothing,
    examples: [
      ['tributary auto-subscriptions list', 'all of them'],
      ['tributary auto-subscriptions list -q', 'their ids only'],
    ],
    run: async (session) => {
      const api = await session.api();
      const all = await api.get('/users/me/auto_subscriptions', z.array(AutoSubscription));
      session.output.list(all, await autoColumnsOf(session, all));
    },
  });
  leaf(subscriptions, {
    usage: 'create <stream> <listener>',
    about: 'Make a listener receive a stream of every source and workflow that is created from now on.',
    options: [FILTER],
    input: AutoPair.extend(Filtered),
    examples: [
      ["tributary auto-subscriptions create '$errors' alerts", 'the errors of new sources and workflows'],
      ['tributary auto-subscriptions create default archive', 'their events'],
    ],
    run: async (session, { stream, listener, filter }) => {
      const api = await session.api();
      const listener_id = await idNamed(api, LISTENERS, listener);
      const body = { event_name: stream, listener_id, ...(await settingsOf(session.terminal, filter)) };
      const made = await api.send('POST', '/auto_subscriptions', AutoSubscription, { body });
      session.output.object(made, await autoColumnsOf(session, [made]));
    },
  });
  leaf(subscriptions, {
    usage: 'delete <stream> <listener>',
    about: 'End an auto-subscription; the subscriptions that it made stay.',
    options: [YES],
    input: AutoPair.extend(Confirmed.shape),
    examples: [
      ["tributary auto-subscriptions delete '$errors' alerts", 'asks before'],
      ["tributary auto-subscriptions delete '$errors' alerts --yes", 'does not ask'],
    ],
    run: async (session, { stream, listener, yes }) => {
      const api = await session.api();
      const listener_id = await idNamed(api, LISTENERS, listener);
      const all = await api.get('/users/me/auto_subscriptions', z.array(AutoSubscription));
      const found = all.find(
        (each) => each.listener_id === listener_id && streamOf(each.event_name) === streamOf(stream),
      );
      if (!found) throw unknownName(`There is no auto-subscription of ${listener} to ${stream}.`);
      await confirmDelete(session, `the auto-subscription of ${listener} to ${stream}`, yes);
      await api.delete('/auto_subscriptions', { event_name: stream, listener_id });
      session.output.deleted(found.id);
    },
  });
}

/** `dc_*` and `p_*` are ids by their prefix. */
async function pairOf(api: Api, { emitter, listener, stream }: z.infer<typeof Pair>) {
  const [emitter_id, listener_id] = await Promise.all([
    idNamed(api, EMITTERS, emitter),
    idNamed(api, LISTENERS, listener),
  ]);
  return { emitter_id, listener_id, event_name: stream };
}

const settingsOf = async (terminal: Terminal, filter: string | undefined) =>
  ({
    filter: filter === undefined ? undefined : await jsonOrFile(terminal, '--filter', filter),
  }) satisfies WireFields<SubscriptionSettings, unknown>;
