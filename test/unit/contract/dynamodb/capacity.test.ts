import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { itDespite } from './differences.ts';
import { describeEach, embedded, everywhere, openEngine, shortCircuitedClient, TABLE } from './targets.ts';
import { refusal } from './refusal.ts';

const KB = 1024;

/** An item of this size. */
function ofSize(bytes: number, key: { pk: string; sk: string } = { pk: randomUUID(), sk: 'a' }) {
  return {
    ...key,
    d: 'x'.repeat(bytes - 'pk'.length - key.pk.length - 'sk'.length - key.sk.length - 'd'.length),
  };
}

const keyOf = ({ pk, sk }: { pk: string; sk: string }) => ({ pk, sk });
const TOTAL = { ReturnConsumedCapacity: 'TOTAL' } as const;

describeEach(everywhere, (db, name) => {
  const put = async (Item: Record<string, unknown>) =>
    (await db().send(new PutCommand({ TableName: TABLE, Item, ...TOTAL }))).ConsumedCapacity?.CapacityUnits;

  describe('write units', () => {
    it.each([
      [100, 1],
      [KB, 1],
      [KB + 1, 2],
      [400 * KB, 400],
    ])('a put of %d bytes costs %d', async (bytes, units) => {
      expect(await put(ofSize(bytes))).toBe(units);
    });

    it('a put over a larger item costs as much as the larger item', async () => {
      const item = ofSize(3 * KB);
      await put(item);
      expect(await put(ofSize(100, keyOf(item)))).toBe(3);
      expect(await put(ofSize(100, keyOf(item)))).toBe(1);
    });

    it('an update costs as much as the larger version', async () => {
      const item = ofSize(2 * KB);
      await put(item);
      const update = (d: string) =>
        db().send(
          new UpdateCommand({
            TableName: TABLE,
            Key: keyOf(item),
            UpdateExpression: 'SET d = :d',
            ExpressionAttributeValues: { ':d': d },
            ...TOTAL,
          }),
        );
      expect((await update('x'.repeat(5000))).ConsumedCapacity?.CapacityUnits).toBe(5);
      expect((await update('x')).ConsumedCapacity?.CapacityUnits).toBe(5);
      expect((await update('y')).ConsumedCapacity?.CapacityUnits).toBe(1);
    });

    it('a delete costs as much as the item, and one unit for a missing item', async () => {
      const item = ofSize(3 * KB);
      await put(item);
      const remove = () => db().send(new DeleteCommand({ TableName: TABLE, Key: keyOf(item), ...TOTAL }));
      expect((await remove()).ConsumedCapacity).toEqual({ TableName: TABLE, CapacityUnits: 3 });
      expect((await remove()).ConsumedCapacity?.CapacityUnits).toBe(1);
    });

    it('a batch costs the sum of its entries, each rounded up', async () => {
      const items = [ofSize(100), ofSize(KB + 1), ofSize(100)];
      const { ConsumedCapacity } = await db().send(
        new BatchWriteCommand({
          RequestItems: { [TABLE]: items.map((Item) => ({ PutRequest: { Item } })) },
          ...TOTAL,
        }),
      );
      expect(ConsumedCapacity).toEqual([{ TableName: TABLE, CapacityUnits: 4 }]);
    });
  });

  describe('read units', () => {
    const get = async (Key: Record<string, unknown>, ConsistentRead: boolean) =>
      (await db().send(new GetCommand({ TableName: TABLE, Key, ConsistentRead, ...TOTAL }))).ConsumedCapacity
        ?.CapacityUnits;

    it.each([
      [100, 1],
      [4 * KB, 1],
      [4 * KB + 1, 2],
    ])('a consistent read of %d bytes costs %d units, an eventually consistent read half', async (bytes, units) => {
      const item = ofSize(bytes);
      await put(item);
      expect([await get(keyOf(item), true), await get(keyOf(item), false)]).toEqual([units, units / 2]);
    });

    it('a read of a missing item costs as much as a small item', async () => {
      const key = { pk: randomUUID(), sk: 'a' };
      expect([await get(key, true), await get(key, false)]).toEqual([1, 0.5]);
    });

    it('a query is rounded up as a whole, including filtered items', async () => {
      const pk = randomUUID();
      for (const sk of ['1', '2', '3']) await put(ofSize(3 * KB, { pk, sk }));
      const query = (rest: object = {}) =>
        db().send(
          new QueryCommand({
            TableName: TABLE,
            KeyConditionExpression: 'pk = :p',
            ExpressionAttributeValues: { ':p': pk },
            ...TOTAL,
            ...rest,
          }),
        );
      expect((await query({ ConsistentRead: true })).ConsumedCapacity?.CapacityUnits).toBe(3);
      expect((await query()).ConsumedCapacity?.CapacityUnits).toBe(1.5);
      const filtered = await query({ FilterExpression: 'attribute_exists(absent)' });
      expect([filtered.Count, filtered.ConsumedCapacity?.CapacityUnits]).toEqual([0, 1.5]);
    });

    itDespite('empty-query-units', name)('a query without results costs half a unit', async () => {
      const { ConsumedCapacity } = await db().send(
        new QueryCommand({
          TableName: TABLE,
          KeyConditionExpression: 'pk = :p',
          ExpressionAttributeValues: { ':p': randomUUID() },
          ...TOTAL,
        }),
      );
      expect(ConsumedCapacity?.CapacityUnits).toBe(0.5);
    });

    it('a batch costs the sum of its keys, each rounded up', async () => {
      const items = [ofSize(100), ofSize(5 * KB)];
      for (const item of items) await put(item);
      const Keys = [...items.map(keyOf), { pk: randomUUID(), sk: 'a' }];
      const { ConsumedCapacity } = await db().send(
        new BatchGetCommand({ RequestItems: { [TABLE]: { Keys, ConsistentRead: true } }, ...TOTAL }),
      );
      expect(ConsumedCapacity).toEqual([{ TableName: TABLE, CapacityUnits: 4 }]);
    });
  });

  itDespite('utf-8-size', name)('the size of a text is its bytes in UTF-8', async () => {
    const item = ofSize(KB);
    expect(await put({ ...item, d: `${item.d.slice(1)}ü` })).toBe(2);
  });
});

describeEach(embedded, (db) => {
  it('transactions cost double', async () => {
    const item = ofSize(KB + 1);
    const { ConsumedCapacity: written } = await db().send(
      new TransactWriteCommand({ TransactItems: [{ Put: { TableName: TABLE, Item: item } }], ...TOTAL }),
    );
    expect(written).toEqual([{ TableName: TABLE, CapacityUnits: 4 }]);
  });
});

describe('the report of consumed capacity', () => {
  it('has every request, including failed conditions', async () => {
    const counted: unknown[] = [];
    const { service, close } = await openEngine({ onConsumed: (...consumed) => counted.push(consumed) });
    const document = shortCircuitedClient(service);
    const item = ofSize(2 * KB);
    await document.send(new PutCommand({ TableName: TABLE, Item: item }));
    const again = new PutCommand({
      TableName: TABLE,
      Item: ofSize(100, keyOf(item)),
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    await refusal(document.send(again));
    await document.send(new GetCommand({ TableName: TABLE, Key: keyOf(item) }));
    expect(counted).toEqual([
      [TABLE, 'PutItem', { read: 0, write: 2 }],
      [TABLE, 'PutItem', { read: 0, write: 2 }],
      [TABLE, 'GetItem', { read: 0.5, write: 0 }],
    ]);
    await close();
  });
});
