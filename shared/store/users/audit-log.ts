import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { UserId } from '../../domain/id.ts';
import {
  AUDIT_DAYS,
  AuditEntry,
  type AuditFilter,
  KEPT_ENTRIES,
  type NewAuditEntry,
  passesAuditFilter,
} from '../../domain/user/audit-entry.ts';
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts';
import { batchWrite, removals } from '../table/batch-write.ts';
import { decodeCursor } from '../table/cursor.ts';
import { auditCountKey, auditKey, auditPartition } from '../table/keys.ts';
import type { Page, PageRequest } from '../table/page.ts';
import { readInSteps } from '../table/read-items.ts';
import { getItem, keysBetween, putItem, queryPages, type TableOptions, wholePartition } from '../table/table-client.ts';

export type AuditLog = ReturnType<typeof auditLog>;

/** Entries that a request looks through for its page, whatever the filter, and those that it counts. */
const SCANNED = 1_000;
const LIFETIME_MS = AUDIT_DAYS * DAY_MS;
/** The clocks of instances differ by less. */
const CLOCKS_MS = MINUTE_MS;
const PAGE = 200;

const Counted = z.object({ entries: z.int().default(0) });

interface Range {
  /** A number of an entry. */
  from: number;
  newest: number;
  isUpwards: boolean;
}

interface Found {
  entries: AuditEntry[];
  /** The number of the last entry that was looked at; undefined at the end of the log. */
  stoppedAt: number | undefined;
}

/** A page may be short or empty while others follow: the cursors say where to go on. */
interface AuditPage extends Page<AuditEntry> {
  /** Numbers of entries. */
  start: number | undefined;
  end: number | undefined;
}

interface ListRequest {
  request: PageRequest;
  filter: AuditFilter;
  now: number;
}

function auditReader(table: TableOptions) {
  /** The entries from a number on, towards higher or lower numbers. A gap in the ring still has an older entry. */
  async function* read(userId: UserId, { from, isUpwards, newest }: Range): AsyncGenerator<AuditEntry> {
    const isOf = ({ number }: AuditEntry) =>
      number > newest - KEPT_ENTRIES && (isUpwards ? number >= from : number <= from);
    const slot = from % KEPT_ENTRIES;
    const last = KEPT_ENTRIES - 1;
    const ranges = isUpwards
      ? [[slot, last] as const, [0, slot - 1] as const]
      : [[0, slot] as const, [slot + 1, last] as const];
    for (const [low, high] of ranges) {
      if (low > high) continue;
      const { pk, sk } = auditKey(userId, low);
      const pages = queryPages(table, {
        ...keysBetween(pk, sk, auditKey(userId, high).sk),
        ScanIndexForward: isUpwards,
        Limit: PAGE,
      });
      for await (const items of pages)
        for await (const entry of readInSteps(table, items, (item) => AuditEntry.parse(item)))
          if (isOf(entry)) yield entry;
    }
  }

  return async function matching(
    userId: UserId,
    { limit, ...range }: Range & { limit: number },
    { filter, now }: Pick<ListRequest, 'filter' | 'now'>,
  ): Promise<Found> {
    const entries: AuditEntry[] = [];
    let scanned = 0;
    const oldest = now - LIFETIME_MS;
    const end = Math.max(oldest, (filter.since ?? 0) - CLOCKS_MS);
    for await (const entry of read(userId, range)) {
      if (!range.isUpwards && entry.at < end) break;
      if (entry.at >= oldest && passesAuditFilter(entry, filter)) entries.push(entry);
      scanned += 1;
      if (entries.length === limit || scanned === SCANNED) return { entries, stoppedAt: entry.number };
    }
    return { entries, stoppedAt: undefined };
  };
}

/**
 * The changes of a user. Entries stand in a ring, by their numbers, so that the oldest ones need no deletion; after 90
 * days they expire.
 */
export function auditLog(table: TableOptions) {
  const matching = auditReader(table);
  return {
    /** A crash between the two writes leaves a number without an entry. */
    async add(userId: UserId, entry: NewAuditEntry): Promise<void> {
      const expiresAt = Math.ceil((entry.at + LIFETIME_MS) / 1_000);
      const { Attributes } = await table.dynamo.send(
        new UpdateCommand({
          TableName: table.tableName,
          Key: auditCountKey(userId),
          // It expires with the newest entry, also that of a request that ends after its user was removed.
          UpdateExpression: 'ADD entries :one SET expiresAt = :expiresAt',
          ExpressionAttributeValues: { ':one': 1, ':expiresAt': expiresAt },
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      const { entries: number } = Counted.parse(Attributes);
      await putItem(table, { Item: { ...auditKey(userId, number % KEPT_ENTRIES), ...entry, number, expiresAt } });
    },

    /** Newest first. */
    async page(userId: UserId, { request: { limit, after, before }, ...list }: ListRequest): Promise<AuditPage> {
      const newest = Counted.parse((await getItem(table, auditCountKey(userId))) ?? {}).entries;
      const cursor = after ?? before;
      const isUpwards = before !== undefined;
      const at =
        cursor === undefined
          ? newest
          : Number(decodeCursor({ list: 'changes', ownerId: userId }, cursor, isUpwards ? 'before' : 'after'));
      const all = matching(userId, { from: newest, newest, isUpwards: false, limit: SCANNED }, list);
      if (cursor === undefined) {
        const { entries, stoppedAt } = await all;
        const items = entries.slice(0, limit);
        const last = items.at(-1)?.number;
        const end = entries.length > limit ? last : (stoppedAt ?? last);
        return { items, totalCount: entries.length, start: items[0]?.number, end };
      }
      const [counted, { entries: items, stoppedAt }] = await Promise.all([
        all,
        matching(userId, { from: isUpwards ? at + 1 : at - 1, newest, isUpwards, limit }, list),
      ]);
      if (isUpwards) items.reverse();
      const [start, end] = [items[0]?.number, items.at(-1)?.number];
      return {
        items,
        totalCount: counted.entries.length,
        start: isUpwards ? (stoppedAt ?? start) : start,
        end: isUpwards ? end : (stoppedAt ?? end),
      };
    },

    async removeAll(userId: UserId): Promise<void> {
      const keys = { ...wholePartition(auditPartition(userId)), ProjectionExpression: 'pk, sk' };
      for await (const items of queryPages(table, keys)) await batchWrite(table, removals(items));
    },
  };
}
