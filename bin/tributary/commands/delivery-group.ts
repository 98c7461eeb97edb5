import * as z from 'zod';
import { Delivery, DeliveryWithAttempts } from '../session/response-schemas.ts';
import { Count, type CommandTree } from '../command-tree.ts';
import { follow } from '../events/follow.ts';
import { usageFailure } from '../failures.ts';
import { eventTexts } from '../events/event-texts.ts';
import { deliveriesPath, deliveryPath } from '../input/resolve-name.ts';
import { sinceOption } from '../input/time-option.ts';
import { attemptColumns, deliveryColumns } from '../output/delivery-columns.ts';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/command-session.ts';
import { namesOf } from '../session/names-of.ts';
import { addRedeliverCommand } from './redeliver-command.ts';
import { FOLLOW, Followed } from './shared-options.ts';

const DEFAULT_LIMIT = 20;

const ListInput = Followed.extend({
  webhook: z.string(),
  status: z.string().optional(),
  outcome: z.string().optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  limit: Count.default(DEFAULT_LIMIT),
});

/** `deliveries`, `deliveries get` and `redeliver`. */
export function addDeliveryCommands(tree: CommandTree): void {
  const { program, leaf } = tree;
  const deliveries = leaf(program, {
    usage: 'deliveries <webhook>',
    about: 'Show the last deliveries of a webhook, newest first.',
    options: [
      ['--status <status>', 'pending, delivered, retrying, failed, held or discarded'],
      ['--outcome <outcome>', 'of the last attempt: delivered, rejected, timed_out, unreachable or blocked'],
      ['--since <time>', 'of events from this time on, such as 2h, 3d or 2026-11-22T10:00:00Z'],
      ['--until <time>', 'of events before this time'],
      ['-n, --limit <count>', 'deliveries to show, 20 otherwise'],
      FOLLOW,
    ],
    input: ListInput,
    examples: [
      ['tributary deliveries shop --since 2h --outcome rejected', 'those that the receiver refused lately'],
      ['tributary deliveries shop -f', 'new ones as they come, and every change of their status'],
    ],
    run: showDeliveries,
  });
  leaf(deliveries, {
    usage: 'get <webhook> <delivery>',
    about: 'Show one delivery with its attempts, and why each failed.',
    input: z.object({ webhook: z.string(), delivery: z.string() }),
    examples: [
      ['tributary deliveries get shop dl_1a2b3c', 'its attempts as a table'],
      ['tributary deliveries get shop dl_1a2b3c --json', 'whole, for programs'],
    ],
    run: showDelivery,
  });
  addRedeliverCommand(tree);
}

async function showDelivery(session: Session, { webhook, delivery: id }: { webhook: string; delivery: string }) {
  const { output } = session;
  const api = await session.api();
  const delivery = await api.get(await deliveryPath(api, webhook, id), DeliveryWithAttempts);
  output.object(delivery, await columnsFor(session, api, [delivery]));
  if (!output.hasColumns) return;
  output.text('');
  output.list(delivery.attempt_log, attemptColumns);
}

async function columnsFor({ output }: Session, api: Api, all: readonly Delivery[]) {
  const deliveries = output.hasColumns ? all : [];
  const ids = deliveries.map(({ emitter_id: id }) => id);
  const [name, textOf] = await Promise.all([namesOf(api, ids), eventTexts(api, deliveries)]);
  return deliveryColumns(name, textOf);
}

/** Deliveries that a follow watches for changes. */
const WATCHED = 100;

async function showDeliveries(session: Session, input: z.infer<typeof ListInput>): Promise<void> {
  const { output } = session;
  const { status, outcome, limit } = input;
  const now = Date.now();
  const since = input.since === undefined ? undefined : sinceOption('--since', input.since, now);
  const until = input.until === undefined ? undefined : sinceOption('--until', input.until, now);
  if (input.follow && until !== undefined)
    throw usageFailure('A follow shows new deliveries: leave out --until, or -f.');
  const api = await session.api();
  const path = await deliveriesPath(api, input.webhook);
  const query = { status, outcome, since, until };
  const newest = (count: number) => api.list(path, Delivery, { query, limit: count });
  if (!input.follow) {
    const found = await newest(limit);
    output.list(found, await columnsFor(session, api, found));
    return;
  }
  let shown = new Map<string, string>();
  const first = await newest(WATCHED);
  const before = first.slice(limit);
  for (const delivery of before) shown.set(delivery.id, stateOf(delivery));
  const print = async (newestFirst: readonly Delivery[]) => {
    const changed = newestFirst.filter((delivery) => shown.get(delivery.id) !== stateOf(delivery));
    const columns = await columnsFor(session, api, changed);
    for (const delivery of changed.toReversed()) output.follow(delivery, output.line(delivery, columns));
    // Older ones left the watched part of the list.
    shown = new Map(newestFirst.map((delivery) => [delivery.id, stateOf(delivery)]));
  };
  await print(first);
  await follow(session, async () => {
    await print(await newest(WATCHED));
  });
}

const stateOf = ({ status, attempts }: Delivery): string => `${status} ${attempts}`;
