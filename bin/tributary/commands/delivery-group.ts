import * as z from 'zod';
import type { Api } from '../session/api.ts';
import { Delivery } from '../session/response-schemas.ts';
import { Count, type CommandTree } from '../command-tree.ts';
import { follow } from '../events/follow.ts';
import { plainLine } from '../../plain-text.ts';
import { webhookNamed } from '../input/resolve-name.ts';
import type { Session } from '../session/command-session.ts';
import { FOLLOW, Followed } from './shared-options.ts';
import type { Column } from '../output/text-table.ts';
import { localDateTime, localOrNever } from '../output/times.ts';

const DEFAULT_LIMIT = 20;

const columns: readonly Column<Delivery>[] = [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'TIME', of: ({ created_at_ms: ms }) => localDateTime(ms) },
  { heading: 'STATUS', of: ({ status }) => status },
  { heading: 'ATTEMPTS', of: ({ attempts }) => attempts },
  {
    heading: 'ANSWER',
    of: ({ last_attempt: last }) => (last ? `${last.outcome} ${last.status ?? ''}`.trim() : ''),
  },
  { heading: 'NEXT', of: ({ next_attempt_ms: ms }) => localOrNever(ms) },
  { heading: 'EVENT', of: ({ event_id: id, event_name: name }) => [id ?? '', name ?? ''].join(' ').trim() },
];

const ListInput = Followed.extend({
  webhook: z.string(),
  status: z.string().optional(),
  limit: Count.default(DEFAULT_LIMIT),
});

/** `deliveries` and `redeliver`. */
export function addDeliveryCommands({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'deliveries <webhook>',
    about: 'Show the last deliveries of a webhook, newest first.',
    options: [
      ['--status <status>', 'pending, delivered, retrying, failed, held or discarded'],
      ['-n, --limit <count>', 'deliveries to show, 20 otherwise'],
      FOLLOW,
    ],
    input: ListInput,
    examples: [
      ['tributary deliveries shop --status failed', 'those that were given up'],
      ['tributary deliveries shop -f', 'new ones as they come, and every change of their status'],
    ],
    run: showDeliveries,
  });
  leaf(program, {
    usage: 'redeliver <webhook> <delivery>',
    about: 'Send a delivery again: one attempt now, also while the webhook is off.',
    input: z.object({ webhook: z.string(), delivery: z.string() }),
    examples: [
      ['tributary redeliver shop dl_1a2b3c', 'one delivery'],
      [
        'tributary deliveries shop --status failed -n 100 -q | xargs -n1 tributary redeliver shop',
        'the last 100 that were given up',
      ],
    ],
    run: async ({ api: connect, output }, { webhook, delivery }) => {
      const api = await connect();
      const path = `${await deliveriesPath(api, webhook)}/${encodeURIComponent(delivery)}/redeliver`;
      output.object(await api.send('POST', path, Delivery), columns);
    },
  });
}

const deliveriesPath = async (api: Api, webhook: string) =>
  `/webhooks/${encodeURIComponent(await webhookNamed(api, webhook))}/deliveries`;

/** Deliveries that a follow watches for changes. */
const WATCHED = 100;

async function showDeliveries(
  session: Session,
  { webhook, status, limit, follow: isFollowed }: z.infer<typeof ListInput>,
) {
  const { output } = session;
  const api = await session.api();
  const path = await deliveriesPath(api, webhook);
  const newest = (count: number) => api.list(path, Delivery, { query: { status }, limit: count });
  if (!isFollowed) {
    output.list(await newest(limit), columns);
    return;
  }
  let shown = new Map<string, string>();
  const first = await newest(WATCHED);
  const before = first.slice(limit);
  for (const delivery of before) shown.set(delivery.id, stateOf(delivery));
  const print = (newestFirst: readonly Delivery[]) => {
    for (const delivery of newestFirst.toReversed()) {
      if (shown.get(delivery.id) === stateOf(delivery)) continue;
      output.follow(delivery, columns.map(({ of }) => plainLine(String(of(delivery) ?? ''))).join('\t'));
    }
    // Older ones left the watched part of the list.
    shown = new Map(newestFirst.map((delivery) => [delivery.id, stateOf(delivery)]));
  };
  print(first);
  await follow(session, async () => {
    print(await newest(WATCHED));
  });
}

const stateOf = ({ status, attempts }: Delivery): string => `${status} ${attempts}`;
