import * as z from 'zod';
import { WholeEvent } from '../session/response-schemas.ts';
import type { CommandTree } from '../command-tree.ts';
import { Count } from '../command-tree.ts';
import { confirmDelete } from '../input/confirm.ts';
import { allSourcesReader } from '../events/every-source.ts';
import { eventColumns, wholeEventColumns, type NamedSummary } from '../output/event-lines.ts';
import { usageFailure } from '../failures.ts';
import { textMatch } from '../events/event-reader.ts';
import { follow } from '../events/follow.ts';
import { oneSourceReader } from '../events/one-source.ts';
import { jsonOrFile } from '../input/read-input.ts';
import { EMITTERS, idNamed, sourceNamed } from '../input/resolve-name.ts';
import type { Session } from '../session/command-session.ts';
import { namesOf } from '../session/names-of.ts';
import { Confirmed, FILTER, FOLLOW, Followed, STREAM, Stream, YES } from './shared-options.ts';

const DEFAULT_LIMIT = 10;
/** A search shows what it finds. */
const SEARCH_LIMIT = 100;
/** Events of one moment share a request. */
const AFTER_EVENTS_MS = 100;

const EventsInput = Followed.extend({
  source: z.string().optional(),
  stream: Stream,
  limit: Count.refine((count) => count <= 100, 'must be at most 100').optional(),
  filter: z.string().optional(),
  search: z.string().min(1, 'must not be empty').optional(),
});
type EventsInput = z.infer<typeof EventsInput>;

/** An unset variable of a shell would delete more. */
const EventText = z.string().min(1, 'is empty').optional();

/** `events [S]`, `events get`, `events delete`. */
export function addEventCommands({ program, leaf }: CommandTree): void {
  const events = leaf(program, {
    usage: 'events [source]',
    about: 'Show the last events of a source, oldest first; of every source without a name.',
    options: [
      FOLLOW,
      STREAM,
      ['-n, --limit <count>', 'events to show, otherwise 10, or 100 of a search'],
      FILTER,
      [
        '--search <text>',
        'only events with this text in their data, summary or ids; looks at the last 100 of each source',
      ],
    ],
    input: EventsInput,
    examples: [
      [`tributary events orders -f --filter '{"total":[{"numeric":[">",100]}]}'`, 'large orders, as they come'],
      ['tributary events --search ada@example.com', 'of every source'],
    ],
    run: showEvents,
  });
  leaf(events, {
    usage: 'get <source> <event>',
    about: 'Show one event whole, with its deliveries.',
    options: [STREAM],
    input: z.object({ source: z.string(), event: z.string(), stream: Stream }),
    examples: [
      ['tributary events get orders 1763830000000-0', 'by its id'],
      ['tributary events get orders 1763830000000-0 --json', 'whole, for programs'],
    ],
    run: async ({ api: connect, output }, { source, event, stream }) => {
      const api = await connect();
      const id = await idNamed(api, EMITTERS, source);
      const kind = id.startsWith('p_') ? 'workflows' : 'sources';
      const path = `/${kind}/${encodeURIComponent(id)}/events/${encodeURIComponent(event)}`;
      const whole = await api.get(path, WholeEvent, { query: { event_name: stream } });
      const deliveries = output.hasColumns ? (whole.deliveries ?? []) : [];
      const hooks = deliveries.map(({ webhook_id: hook }) => hook);
      output.object(whole, wholeEventColumns(await namesOf(api, hooks)));
    },
  });
  leaf(events, {
    usage: 'delete <source> [event]',
    about: 'Delete one event, a range, or all events of a source.',
    options: [
      ['--start <event>', 'delete this event and later ones'],
      ['--end <event>', 'delete this event and earlier ones'],
      STREAM,
      YES,
    ],
    input: Confirmed.extend({
      source: z.string(),
      event: EventText,
      start: EventText,
      end: EventText,
      stream: Stream,
    }),
    examples: [
      ['tributary events delete orders 1763830000000-0', 'one event'],
      ['tributary events delete orders --yes', 'all of all streams, without a question'],
    ],
    run: async (session, { source, event, start, end, stream, yes }) => {
      if (event !== undefined && (start ?? end) !== undefined)
        throw usageFailure('Name one event, or a range with --start and --end, not both.');
      const api = await session.api();
      const id = await sourceNamed(api, source);
      const what = event ?? ((start ?? end) === undefined ? 'all events' : 'the events of the range');
      await confirmDelete(session, `${what} of ${source}`, yes);
      const query = { start_id: event ?? start, end_id: event ?? end, event_name: stream };
      await api.delete(`/sources/${encodeURIComponent(id)}/events`, query);
      session.output.result({ id: event ?? id, deleted: true }, `Deleted ${what} of ${source}.`);
    },
  });
}

const NO_EVENTS = 'No events. With -f the command waits for new ones; `tributary sources run` runs a source now.';

const NOTHING_FOUND = 'No event has this text. The search looks at the last 100 events of one stream of each source.';

async function showEvents(session: Session, input: EventsInput): Promise<void> {
  const { terminal, output } = session;
  const api = await session.api();
  const pattern = input.filter === undefined ? undefined : await jsonOrFile(terminal, '--filter', input.filter);
  const wanted = {
    stream: input.stream,
    filter: pattern === undefined ? undefined : JSON.stringify(pattern),
    // A terminal shows what fits its width.
    whole: output.json || !output.isTerminal || input.search !== undefined,
  };
  const reader =
    input.source === undefined
      ? allSourcesReader(api, wanted)
      : oneSourceReader(api, { ...wanted, emitterId: await idNamed(api, EMITTERS, input.source) });
  const hasSources = input.source === undefined;
  const matches = textMatch(input.search);
  const limit = input.limit ?? (matches ? SEARCH_LIMIT : DEFAULT_LIMIT);
  const last = await reader.last(limit, matches);
  if (!input.follow) {
    output.list(last, eventColumns(hasSources));
    if (last.length === 0 && output.hasColumns && output.isTerminal) output.note(matches ? NOTHING_FOUND : NO_EVENTS);
    return;
  }
  const print = (events: readonly NamedSummary[]) => {
    for (const event of events) output.follow(event, output.line(event, eventColumns(hasSources)));
  };
  print(last);
  const poll = async (signal: AbortSignal) => {
    const { events, missed } = await reader.next(signal);
    if (missed > 0) output.note(`${missed} events were missed.`);
    print(matches ? events.filter(matches) : events);
  };
  await follow(session, poll, reader.waits ? { everyMs: AFTER_EVENTS_MS } : {});
}
