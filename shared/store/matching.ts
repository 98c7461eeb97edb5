import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type EmitterId, isWebhookId, isWorkflowId, ListenerId, type UserId } from '../domain/id.ts';
import type { Source } from '../domain/source.ts';
import type { StreamName } from '../domain/stream.ts';
import { Webhook } from '../domain/webhook.ts';
import { Workflow } from '../domain/workflow.ts';
import {
  type EmitterPattern,
  matchPartition,
  matchPrefix,
  sourceKey,
  webhookKey,
  workflowKey,
} from './keys.ts';
import { batchedReads, endOfTick } from './batched-reads.ts';
import { fromSourceItem } from './source-item.ts';
import { batchGet, type TableOptions } from './table-client.ts';

interface MatchRequest {
  emitterId: EmitterId;
  ownerId: UserId;
  stream: StreamName;
  /** Only listeners that sort after this one. */
  after?: string | undefined;
}

interface Match {
  /** Each once, in order. */
  listeners: ListenerId[];
  /** Where to go on, when there are more. */
  next?: ListenerId;
}

/** What a listener is, with what is needed to reach it. */
export type Listener =
  | { kind: 'webhook'; webhook: Webhook }
  | { kind: 'source'; source: Source }
  | { kind: 'workflow'; workflow: Workflow };

export interface ListenerStore {
  /** Who listens, strongly consistent: a subscription works from the moment its POST is answered. */
  match(request: MatchRequest): Promise<Match>;
  /** Those that exist. */
  listeners(ids: readonly ListenerId[]): Promise<Map<ListenerId, Listener>>;
}

/** Listeners of one page: their targets are read with two requests, and their attempts fit one batch's time. */
const PAGE = 200;

const MatchItem = z.object({ sk: z.string() });
const KeyItem = z.looseObject({ pk: z.string(), sk: z.string() });

export function listenerStore(table: TableOptions, page = PAGE): ListenerStore {
  const { dynamo, tableName } = table;

  /** Emitters of one owner have the same globs; no read that has begun already is shared. */
  const underWay = new Map<string, ReturnType<typeof readPage>>();
  function readPattern(pattern: EmitterPattern, { stream, after }: MatchRequest) {
    const pk = matchPartition(pattern);
    const prefix = matchPrefix(stream);
    const name = JSON.stringify([pk, prefix, after]);
    const known = underWay.get(name);
    if (known) return known;
    const page = endOfTick().then(() => {
      underWay.delete(name);
      return readPage(pk, prefix, after);
    });
    underWay.set(name, page);
    return page;
  }

  async function readPage(pk: string, prefix: string, after: string | undefined) {
    const { Items = [], LastEvaluatedKey } = await dynamo.send(
      new QueryCommand({
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
        ProjectionExpression: 'sk',
        Limit: page,
        ...(after === undefined ? {} : { ExclusiveStartKey: { pk, sk: `${prefix}${after}` } }),
      }),
    );
    return {
      ids: Items.map((item) => ListenerId.parse(MatchItem.parse(item).sk.slice(prefix.length))),
      isWhole: LastEvaluatedKey === undefined,
    };
  }

  const readListener = batchedReads<ListenerId, Listener>(async (ids) => {
    const found = new Map<ListenerId, Listener>();
    // Cheap first; one that was made a moment ago is missing only for a reader that does not insist.
    for (const consistent of [false, true]) {
      const missing = ids.filter((id) => !found.has(id));
      const items = await batchGet(table, missing.map(keyOf), { consistent });
      for (const item of items) {
        const listener = listenerOf(KeyItem.parse(item).sk, item);
        found.set(idOf(listener), listener);
      }
    }
    return found;
  });

  return {
    async match(request) {
      const { emitterId, ownerId } = request;
      const glob = isWorkflowId(emitterId) ? 'p_*' : 'dc_*';
      const [exact, all] = await Promise.all([
        readPattern({ emitterId }, request),
        readPattern({ ownerId, glob }, request),
      ]);
      // A glob does not match its own listener; an exact subscription of a source to itself stands.
      const globbed = all.ids.filter((id) => id !== emitterId);
      const merged = [...new Set([...exact.ids, ...globbed])].sort();
      // Beyond the end of a page that was cut short there may be listeners that were not read.
      const ends = [
        ...(exact.isWhole ? [] : [exact.ids.at(-1)]),
        ...(all.isWhole ? [] : [all.ids.at(-1)]),
      ].filter((id) => id !== undefined);
      const [end] = ends.sort();
      const known = end === undefined ? merged : merged.filter((id) => id <= end);
      return end === undefined ? { listeners: known } : { listeners: known, next: end };
    },

    async listeners(ids) {
      const listeners = await Promise.all(ids.map(readListener));
      return new Map(listeners.flatMap((listener) => (listener ? [[idOf(listener), listener]] : [])));
    },
  };
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

function idOf(listener: Listener): ListenerId {
  switch (listener.kind) {
    case 'webhook':
      return listener.webhook.id;
    case 'source':
      return listener.source.id;
    case 'workflow':
      return listener.workflow.id;
  }
}
