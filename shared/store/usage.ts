import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { UserId } from '../domain/id.ts';
import type { BillingPeriod } from '../domain/billing-period.ts';
import { dayOf, hourOf } from '../domain/user.ts';
import { usageKey, userPartition } from './keys.ts';
import { queryAll, type TableOptions } from './table-client.ts';

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
  /** Invocations of a billing period. The hour that two periods share counts for the later one. */
  ofPeriod(ownerId: UserId, period: BillingPeriod): Promise<number>;
}

/** Lifetime of a day's usage: its billing period and the next one. */
const LIFETIME_MS = 63 * 24 * 60 * 60 * 1000;

const Counter = z.number().default(0);
const UsageItem = z.object({ invocations: Counter, computeMs: Counter });

/** Attribute with the invocations of one hour; an item with all 24 has less than 1 KB. */
const hourName = (hour: number): string => `h${hour}`;

/** Invocations of a day before an hour of it. */
function invocationsBefore(item: Readonly<Record<string, unknown>>, hour: number): number {
  const hours = Array.from({ length: hour }, (_, each) => Counter.parse(item[hourName(each)]));
  return hours.reduce((sum, count) => sum + count, 0);
}

export function usageStore(table: TableOptions): UsageStore {
  const { dynamo, tableName } = table;
  return {
    async add(ownerId, { invocations, computeMs }, now) {
      await dynamo.send(
        new UpdateCommand({
          TableName: tableName,
          Key: usageKey(ownerId, dayOf(now)),
          UpdateExpression:
            'ADD invocations :i, computeMs :c, #hour :i SET expiresAt = if_not_exists(expiresAt, :e)',
          ExpressionAttributeNames: { '#hour': hourName(hourOf(now)) },
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

    async ofPeriod(ownerId, { start, end }) {
      const first = usageKey(ownerId, dayOf(start)).sk;
      const last = usageKey(ownerId, dayOf(end)).sk;
      const days = await queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':pk': userPartition(ownerId), ':first': first, ':last': last },
        ConsistentRead: false,
      });
      let invocations = 0;
      for (const day of days) {
        invocations +=
          day['sk'] === last ? invocationsBefore(day, hourOf(end)) : UsageItem.parse(day).invocations;
        if (day['sk'] === first) invocations -= invocationsBefore(day, hourOf(start));
      }
      return invocations;
    },
  };
}
