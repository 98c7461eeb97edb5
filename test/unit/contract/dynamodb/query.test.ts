import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, PutCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectInvalid } from './refusal.ts';
import { describeEach, everywhere, INDEX, KEYS_INDEX, NUMBERED, TABLE } from './targets.ts';

/** As DynamoDB orders them: by their bytes in UTF-8, where 💩 lies behind U+FF21. */
const sortKeys = ['', 'A', 'a', 'a#1', 'a#10', 'a#2', 'b', 'ü', '\uff21', '💩'].slice(1);

describeEach(everywhere, (db) => {
  const pk = randomUUID();
  const group = randomUUID();

  beforeAll(async () => {
    const items = sortKeys.map((sk, i) => ({ pk, sk, i, even: i % 2 === 0 }));
    const requests = [...items].reverse().map((Item) => ({ PutRequest: { Item } }));
    await db().send(new BatchWriteCommand({ RequestItems: { [TABLE]: requests } }));
  });

  const query = (rest: Partial<QueryCommandInput>) =>
    db().send(new QueryCommand({ TableName: TABLE, ...rest }));
  const range = (condition: string, values: object = {}, rest: Partial<QueryCommandInput> = {}) =>
    query({
      KeyConditionExpression: condition,
      ExpressionAttributeValues: { ':p': pk, ...values },
      ConsistentRead: true,
      ...rest,
    });
  const keys = (items: Record<string, unknown>[] | undefined) => items?.map(({ sk }) => sk);

  describe('a query', () => {
    it('answers a partition in the order of its sort keys, or backwards', async () => {
      expect(keys((await range('pk = :p')).Items)).toEqual(sortKeys);
      expect(keys((await range('pk = :p', {}, { ScanIndexForward: false })).Items)).toEqual(
        [...sortKeys].reverse(),
      );
    });

    it.each<[string, object, (sk: string) => boolean]>([
      ['pk = :p AND sk = :a', { ':a': 'a' }, (sk) => sk === 'a'],
      [':p = pk AND :a = sk', { ':a': 'a' }, (sk) => sk === 'a'],
      ['sk = :a AND pk = :p', { ':a': 'a' }, (sk) => sk === 'a'],
      ['(pk = :p) AND (sk > :a)', { ':a': 'a#10' }, (sk) => sortKeys.indexOf(sk) > 3],
      ['pk = :p AND :a < sk', { ':a': 'a#10' }, (sk) => sortKeys.indexOf(sk) > 3],
      ['pk = :p AND sk >= :a', { ':a': 'a#10' }, (sk) => sortKeys.indexOf(sk) >= 3],
      ['pk = :p AND sk < :a', { ':a': 'a#10' }, (sk) => sortKeys.indexOf(sk) < 3],
      ['pk = :p AND sk <= :a', { ':a': 'a#10' }, (sk) => sortKeys.indexOf(sk) <= 3],
      [
        'pk = :p AND sk BETWEEN :a AND :b',
        { ':a': 'a', ':b': 'b' },
        (sk) => sk.startsWith('a') || sk === 'b',
      ],
      ['pk = :p AND sk BETWEEN :a AND :b', { ':a': 'a#11', ':b': 'a#19' }, () => false],
      ['pk = :p AND begins_with(sk, :a)', { ':a': 'a#' }, (sk) => sk.startsWith('a#')],
      ['pk = :p AND begins_with(sk, :a)', { ':a': '💩' }, (sk) => sk === '💩'],
      ['pk = :p AND sk > :a', { ':a': '\uff21' }, (sk) => sk === '💩'],
    ])('%s %j', async (condition, values, matches) => {
      expect(keys((await range(condition, values)).Items)).toEqual(sortKeys.filter(matches));
    });

    it('of a partition that does not exist answers no items', async () => {
      expect(await range('pk = :p', { ':p': 'nobody' })).toMatchObject({
        Items: [],
        Count: 0,
        ScannedCount: 0,
      });
    });

    it.each([true, false])('goes on from its LastEvaluatedKey (forward: %s)', async (ScanIndexForward) => {
      const pages: unknown[][] = [];
      let ExclusiveStartKey: Record<string, unknown> | undefined;
      do {
        const page = await range('pk = :p', {}, { Limit: 4, ScanIndexForward, ExclusiveStartKey });
        pages.push(keys(page.Items) ?? []);
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
      const all = ScanIndexForward ? sortKeys : [...sortKeys].reverse();
      expect(pages).toEqual([all.slice(0, 4), all.slice(4, 8), all.slice(8)]);
    });

    it('may start from a key that is not there (any more)', async () => {
      const start = { pk, sk: 'a#15' };
      expect(keys((await range('pk = :p', {}, { ExclusiveStartKey: start })).Items)).toEqual(
        sortKeys.slice(4),
      );
      const backwards = await range('pk = :p', {}, { ExclusiveStartKey: start, ScanIndexForward: false });
      expect(keys(backwards.Items)).toEqual(sortKeys.slice(0, 4).reverse());
    });

    it('whose limit is reached at the very end still answers a LastEvaluatedKey', async () => {
      const page = await range('pk = :p', {}, { Limit: sortKeys.length });
      expect(page.LastEvaluatedKey).toEqual({ pk, sk: sortKeys.at(-1) });
      expect((await range('pk = :p', {}, { Limit: sortKeys.length + 1 })).LastEvaluatedKey).toBeUndefined();
    });

    it('filters after the limit, and says how many it looked at', async () => {
      const page = await range('pk = :p', { ':t': true }, { FilterExpression: 'even = :t', Limit: 3 });
      expect(page).toMatchObject({ Count: 2, ScannedCount: 3, LastEvaluatedKey: { pk, sk: sortKeys[2] } });
      expect(keys(page.Items)).toEqual([sortKeys[0], sortKeys[2]]);
    });

    it('counts only, if asked', async () => {
      const page = await range('pk = :p', {}, { Select: 'COUNT' });
      expect(page.Items).toBeUndefined();
      expect(page).toMatchObject({ Count: sortKeys.length, ScannedCount: sortKeys.length });
    });

    it('projects', async () => {
      const page = await range(
        'pk = :p AND sk = :a',
        { ':a': 'a' },
        {
          ProjectionExpression: '#i, absent, sk',
          ExpressionAttributeNames: { '#i': 'i' },
        },
      );
      expect(page.Items).toEqual([{ i: sortKeys.indexOf('a'), sk: 'a' }]);
    });

    it('ends a page at 1 MB', async () => {
      const big = randomUUID();
      for (const sk of ['1', '2', '3', '4']) {
        await db().send(new PutCommand({ TableName: TABLE, Item: { pk: big, sk, d: 'x'.repeat(380_000) } }));
      }
      const first = await range('pk = :p', { ':p': big });
      expect(keys(first.Items)).toEqual(['1', '2', '3']);
      expect(first.LastEvaluatedKey).toEqual({ pk: big, sk: '3' });
      const second = await range('pk = :p', { ':p': big }, { ExclusiveStartKey: first.LastEvaluatedKey });
      expect(keys(second.Items)).toEqual(['4']);
      expect(second.LastEvaluatedKey).toBeUndefined();
    });

    it('orders numbers as numbers', async () => {
      const numbers = [-1e20, -100, -12.5, -12, -1.5, -1e-9, 0, 1e-9, 0.1, 1, 2, 9, 10, 11, 100.5, 1e6];
      const hash = new Uint8Array([...Buffer.from(randomUUID())]);
      for (const n of numbers) {
        const Item = { pk: hash, n: n === -1e20 ? -(10n ** 20n) : n };
        await db().send(new PutCommand({ TableName: NUMBERED, Item }));
      }
      const send = (condition: string, values: object = {}) =>
        db().send(
          new QueryCommand({
            TableName: NUMBERED,
            KeyConditionExpression: condition,
            ExpressionAttributeValues: { ':p': hash, ...values },
          }),
        );
      expect((await send('pk = :p')).Items?.map(({ n }) => Number(n))).toEqual(numbers);
      const between = await send('pk = :p AND n BETWEEN :a AND :b', { ':a': -12, ':b': 9.5 });
      expect(between.Items?.map(({ n }) => n as number)).toEqual([-12, -1.5, -1e-9, 0, 1e-9, 0.1, 1, 2, 9]);
    });
  });

  describe('an index', () => {
    const byGroup = (rest: Partial<QueryCommandInput> = {}) =>
      query({
        IndexName: INDEX,
        KeyConditionExpression: '#g = :g',
        ExpressionAttributeNames: { '#g': 'group' },
        ExpressionAttributeValues: { ':g': group },
        ...rest,
      });

    beforeAll(async () => {
      const items = [3, 1, 2, 2].map((rank, i) => ({ pk: randomUUID(), sk: `s${i}`, group, rank, other: i }));
      for (const Item of items) await db().send(new PutCommand({ TableName: TABLE, Item }));
      await db().send(new PutCommand({ TableName: TABLE, Item: { pk: randomUUID(), sk: 'no rank', group } }));
    });

    it('answers the items that have its attributes, in its order', async () => {
      const { Items } = await byGroup();
      expect(Items?.map(({ rank }) => rank as number)).toEqual([1, 2, 2, 3]);
      expect(Items?.[0]).toHaveProperty('other');
    });

    it('pages through items with equal keys', async () => {
      const seen = new Set<unknown>();
      let ExclusiveStartKey: Record<string, unknown> | undefined;
      do {
        const page = await byGroup({ Limit: 1, ExclusiveStartKey });
        for (const { sk } of page.Items ?? []) seen.add(sk);
        ExclusiveStartKey = page.LastEvaluatedKey;
        if (ExclusiveStartKey)
          expect(Object.keys(ExclusiveStartKey).sort()).toEqual(['group', 'pk', 'rank', 'sk']);
      } while (ExclusiveStartKey);
      expect(seen.size).toBe(4);
    });

    it('holds the keys only, if it is told so', async () => {
      const { Items } = await byGroup({ IndexName: KEYS_INDEX });
      expect(Items).toHaveLength(5);
      for (const item of Items ?? []) expect(Object.keys(item).sort()).toEqual(['group', 'pk', 'sk']);
    });

    it('follows an item that moves, loses an attribute, or is deleted', async () => {
      const [own, other] = [randomUUID(), randomUUID()];
      const key = { pk: randomUUID(), sk: 'moving' };
      const ranks = async (of: string) =>
        (await byGroup({ ExpressionAttributeValues: { ':g': of } })).Items?.map(({ rank }) => rank as number);
      await db().send(new PutCommand({ TableName: TABLE, Item: { ...key, group: own, rank: 1 } }));
      expect([await ranks(own), await ranks(other)]).toEqual([[1], []]);
      await db().send(new PutCommand({ TableName: TABLE, Item: { ...key, group: own, rank: 2 } }));
      expect([await ranks(own), await ranks(other)]).toEqual([[2], []]);
      await db().send(new PutCommand({ TableName: TABLE, Item: { ...key, group: other, rank: 2 } }));
      expect([await ranks(own), await ranks(other)]).toEqual([[], [2]]);
      await db().send(new PutCommand({ TableName: TABLE, Item: { ...key, group: other } }));
      expect([await ranks(own), await ranks(other)]).toEqual([[], []]);
    });

    it('is not read consistently, and must exist', async () => {
      await expectInvalid(
        byGroup({ ConsistentRead: true }),
        'Consistent reads are not supported on global secondary indexes',
      );
      await expectInvalid(
        byGroup({ IndexName: 'no-such-index' }),
        'The table does not have the specified index: no-such-index',
      );
      await expectInvalid(
        byGroup({ IndexName: KEYS_INDEX, Select: 'ALL_ATTRIBUTES' }),
        'Select type ALL_ATTRIBUTES is not supported for global secondary index by-group-keys because its projection type is not ALL',
      );
    });
  });

  describe('a query is refused', () => {
    it.each<[string, Partial<QueryCommandInput>, string]>([
      [
        'without a condition',
        { ExpressionAttributeValues: undefined },
        'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
      ],
      [
        'without the partition key',
        { KeyConditionExpression: 'sk = :p' },
        'Query condition missed key schema element: pk',
      ],
      [
        'with a range of partition keys',
        { KeyConditionExpression: 'pk > :p' },
        'Query key condition not supported',
      ],
      [
        'with a foreign attribute',
        { KeyConditionExpression: 'pk = :p AND absent = :p' },
        'Query condition missed key schema element: sk',
      ],
      [
        'with OR',
        { KeyConditionExpression: 'pk = :p OR sk = :p' },
        'Invalid operator used in KeyConditionExpression: OR',
      ],
      [
        'with NOT',
        { KeyConditionExpression: 'NOT pk = :p' },
        'Invalid operator used in KeyConditionExpression: NOT',
      ],
      [
        'with contains',
        { KeyConditionExpression: 'pk = :p AND contains(sk, :p)' },
        'Invalid operator used in KeyConditionExpression: contains',
      ],
      [
        'with two conditions on a key',
        { KeyConditionExpression: 'pk = :p AND sk > :p AND sk < :p' },
        'KeyConditionExpressions must only contain one condition per key',
      ],
      [
        'with a nested path',
        { KeyConditionExpression: 'pk.a = :p' },
        'KeyConditionExpressions cannot have conditions on nested attributes',
      ],
      [
        'with the wrong type',
        { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 1 } },
        'One or more parameter values were invalid: Condition parameter type does not match schema type',
      ],
      [
        'with limit 0',
        { KeyConditionExpression: 'pk = :p', Limit: 0 },
        "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
      ],
      [
        'with half a start key',
        { KeyConditionExpression: 'pk = :p', ExclusiveStartKey: { pk: 'x' } },
        'The provided starting key is invalid',
      ],
      [
        'with a start key elsewhere',
        { KeyConditionExpression: 'pk = :p', ExclusiveStartKey: { pk: 'x', sk: 'y' } },
        'The provided starting key is outside query boundaries based on provided conditions',
      ],
    ])('%s', async (_title, rest, message) => {
      await expectInvalid(query({ ExpressionAttributeValues: { ':p': pk }, ...rest }), message);
    });
  });
});
