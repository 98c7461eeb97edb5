import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { EventFilter } from '../../domain/event/event-pattern/event-filter.ts';
import { type EmitterId, isSourceId, isWebhookId, isWorkflowId, ListenerId, type UserId } from '../../domain/id.ts';
import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import type { Source } from '../../domain/source/source.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import { Webhook } from '../../domain/webhook/webhook.ts';
import { Workflow } from '../../domain/subscription/workflow.ts';
import {
  type EmitterPattern,
  emitterOfListenerKey,
  listenerPartition,
  matchPartition,
  matchPrefix,
  sourceKey,
  webhookKey,
  workflowKey,
} from '../table/keys.ts';
import { batchedReads, type ReadError, sharedRequests, valueOrError } from '../table/batched-reads.ts';
import { fromSourceItem } from '../emitters/source-item.ts';
import { batchGet, queryAll, type TableOptions, wholePartition } from '../table/table-client.ts';

interface MatchRequest {
  emitterId: EmitterId;
  ownerId: UserId;
  stream: StreamName;
  /** Only listeners that sort after this id. */
  after?: string | undefined;
}

interface Match {
  /** Unique, sorted by id. */
  listeners: ListenerId[];
  /** The filters of listeners whose subscriptions all have one: an event must pass any of them. */
  filters: ReadonlyMap<ListenerId, readonly EventFilter[]>;
  /** `after` of the next page, if there is one. */
  next?: ListenerId;
  /** The error of a subscription that cannot be read. Its listener is not among these. */
  failure?: unknown;
}

export type Listener =
  | { kind: 'webhook'; webhook: Webhook }
  | { kind: 'source'; source: Source }
  | { kind: 'workflow'; workflow: Workflow };

export type ListenerStore = ReturnType<typeof listenerStore>;

/** Listeners per page: two requests read them, and their attempts fit into the time of one batch. */
const PAGE = 200;

const ListenerItems = z.array(z.object({ sk: z.string() }));
const Filtered = z.object({ filter: EventFilter.optional() });
const KeyItem = z.looseObject({ pk: z.string(), sk: z.string() });

export function listenerStore(table: TableOptions, page = PAGE) {
  /** Batches of one emitter share its query, and emitters of one owner that for a glob. */
  const shared = sharedRequests<Awaited<ReturnType<typeof readRows>>>();
  function readPattern(pattern: EmitterPattern, { stream, after }: MatchRequest) {
    const pk = matchPartition(pattern);
    const prefix = matchPrefix(stream);
    return shared(JSON.stringify([pk, prefix, after]), () => readRows(table, { pk, prefix, after, limit: page }));
  }

  const readListener = batchedReads<ListenerId, Listener>(async (ids) => {
    const byKey = new Map(ids.map((id) => [keyOf(id).pk, id]));
    const found = new Map<ListenerId, Listener | ReadError>();
    const read = async (wanted: readonly ListenerId[], consistent: boolean) => {
      for (const item of await batchGet(table, wanted.map(keyOf), { consistent })) {
        const { pk, sk } = KeyItem.parse(item);
        const id = byKey.get(pk);
        if (id !== undefined)
          found.set(
            id,
            valueOrError(() => listenerOf(sk, item)),
          );
      }
    };
    // The trigger of a source is checked again when it runs. Eventually consistent reads cost half; only missing items,
    // such as new ones, are read again. Attempts use the url, the headers, the secrets and the rate limit of a webhook
    // at once.
    const [sources, targets] = [ids.filter(isSourceId), ids.filter((id) => !isSourceId(id))];
    await Promise.all([read(targets, true), read(sources, false)]);
    const missing = sources.filter((id) => !found.has(id));
    if (missing.length > 0) await read(missing, true);
    return found;
  });

  return {
    /** Listeners of a stream, strongly consistent: a subscription works as soon as its POST is answered. */
    async match(request: MatchRequest): Promise<Match> {
      const { emitterId, ownerId } = request;
      const glob = isWorkflowId(emitterId) ? 'p_*' : 'dc_*';
      const [exact, all] = await Promise.all([
        readPattern({ emitterId }, request),
        // A glob does not cover notices.
        isNoticesId(emitterId) ? NO_ROWS : readPattern({ ownerId, glob }, request),
      ]);
      // A glob does not match its own listener; an explicit subscription of a source to itself does.
      const globbed = all.rows.filter(({ id }) => id !== emitterId);
      const rows = [...exact.rows, ...globbed];
      const failed = new Map(rows.flatMap(({ id, error }) => (error ? [[id, error]] : [])));
      const merged = [...new Set(rows.map(({ id }) => id))].filter((id) => !failed.has(id)).sort();
      // Listeners after the end of an incomplete page are left to the next page: the other query may have more before
      // them.
      const ends = [
        ...(exact.isWhole ? [] : [exact.rows.at(-1)?.id]),
        ...(all.isWhole ? [] : [all.rows.at(-1)?.id]),
      ].filter((id) => id !== undefined);
      const [end] = ends.sort();
      const listeners = end === undefined ? merged : merged.filter((id) => id <= end);
      const [failure] = failed.values();
      return {
        listeners,
        filters: filtersOf(rows),
        ...(failure ? { failure } : {}),
        ...(end === undefined ? {} : { next: end }),
      };
    },

    /** The emitters and globs that a listener is subscribed to. */
    async emittersOf(id: ListenerId): Promise<ReadonlySet<string>> {
      const items = await queryAll(table, {
        ...wholePartition(listenerPartition(id)),
        ProjectionExpression: 'sk',
      });
      return new Set(ListenerItems.parse(items).map(({ sk }) => emitterOfListenerKey(sk)));
    },

    /** Reads a listener. Undefined when it was deleted. Reads of one tick of the event loop share a request. */
    listener: readListener,
  };
}

async function readRows(
  { dynamo, tableName }: TableOptions,
  { pk, prefix, after, limit }: { pk: string; prefix: string; after: string | undefined; limit: number },
) {
  const { Items = [], LastEvaluatedKey } = await dynamo.send(
    new QueryCommand({
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      ProjectionExpression: 'sk, #filter',
      ExpressionAttributeNames: { '#filter': 'filter' },
      Limit: limit,
      ...(after === undefined ? {} : { ExclusiveStartKey: { pk, sk: `${prefix}${after}` } }),
    }),
  );
  const rows = Items.map((item): Row => {
    const id = ListenerId.parse(String(item['sk']).slice(prefix.length));
    const { data, error } = Filtered.safeParse(item);
    return { id, filter: data?.filter, error };
  });
  return { rows, isWhole: LastEvaluatedKey === undefined };
}

const NO_ROWS = { rows: [], isWhole: true };

interface Row {
  id: ListenerId;
  filter: EventFilter | undefined;
  /** Why the subscription cannot be read. */
  error: z.ZodError | undefined;
}

/** A subscription without a filter accepts every event, whatever the listener's other one says. */
function filtersOf(rows: readonly Row[]): Match['filters'] {
  const filters = new Map<ListenerId, EventFilter[]>();
  for (const { id, filter } of rows) {
    if (filter !== undefined) filters.set(id, [...(filters.get(id) ?? []), filter]);
  }
  for (const { id, filter } of rows) {
    if (filter === undefined) filters.delete(id);
  }
  return filters;
}

function keyOf(id: ListenerId) {
  if (isWebhookId(id)) return webhookKey(id);
  return isWorkflowId(id) ? workflowKey(id) : sourceKey(id);
}

function listenerOf(sk: string, item: unknown): Listener {
  if (sk === 'WEBHOOK') return { kind: 'webhook', webhook: Webhook.parse(item) };
  if (sk === 'WORKFLOW') return { kind: 'workflow', workflow: Workflow.parse(item) };
  return { kind: 'source', source: fromSourceItem(item) };
}
