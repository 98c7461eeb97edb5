import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { UserId } from '../domain/id.ts';
import { dayOf, monthOf } from '../domain/user.ts';
import { usageKey, userPartition } from './keys.ts';
import { beginningWith, queryAll, type TableOptions } from './table-client.ts';

/** Usage of a user's sources. */
export interface Usage {
  /** Number of runs. */
  invocations: number;
  /** Run time in ms; at least 1 ms per run. */
  computeMs: number;
}

export interface UsageStore {
  add(ownerId: UserId, usage: Usage, now: number): Promise<void>;
  /** Usage of the UTC day of `now`. */
  ofDay(ownerId: UserId, now: number): Promise<Usage>;
  /** Usage of the UTC calendar month of `now`. */
  ofMonth(ownerId: UserId, now: number): Promise<Usage>;
}

/** Lifetime of a day's usage: its billing period and the next one. */
const LIFETIME_MS = 63 * 24 * 60 * 60 * 1000;

const UsageItem = z.object({ invocations: z.number().default(0), computeMs: z.number().default(0) });

export function usageStore(table: TableOptions): UsageStore {
  const { dynamo, tableName } = table;
  return {
    async add(ownerId, { invocations, computeMs }, now) {
      await dynamo.send(
        new UpdateCommand({
          TableName: tableName,
          Key: usageKey(ownerId, dayOf(now)),
          UpdateExpression: 'ADD invocations :i, computeMs :c SET expiresAt = if_not_exists(expiresAt, :e)',
          ExpressionAttributeValues: {
            ':i': invocations,
            ':c': computeMs,
            ':e': Math.floor((now + LIFETIME_MS) / 1000),
          },
        }),
      );
    },

    async ofDay(ownerId, now) {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tableName, Key: usageKey(ownerId, dayOf(now)) }),
      );
      return UsageItem.parse(Item ?? {});
    },

    async ofMonth(ownerId, now) {
      const days = await queryAll(table, {
        ...beginningWith(userPartition(ownerId), usageKey(ownerId, monthOf(now)).sk),
        ConsistentRead: false,
      });
      const total = { invocations: 0, computeMs: 0 };
      for (const day of days) {
        const { invocations, computeMs } = UsageItem.parse(day);
        total.invocations += invocations;
        total.computeMs += computeMs;
      }
      return total;
    },
  };
}
