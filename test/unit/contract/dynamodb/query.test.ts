import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, PutCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { itDespite } from './differences.ts';
import { expectInvalid } from './refusal.ts';
import { describeEach, everywhere, TABLE } from './targets.ts';

/** In the order of DynamoDB: by bytes in UTF-8, where 💩 follows U+FF21. */
const sortKeys = ['', 'A', 'a', 'a#1', 'a#10', 'a#2', 'b', 'ü', '\uff21', '💩'].slice(1);

describeEach(everywhere, (db, name) => {
  const pk = randomUUID();

  beforeAll(async () => {
    const items = sortKeys.map((sk, i) => ({ pk, sk, i, even: i % 2 === 0 }));
    const requests = [...items].reverse().map((Item) => ({ PutRequest: { Item } }));
    await db().send(new BatchWriteCommand({ RequestItems: { [TABLE]: requests } }));
  });

  const query = (rest: Partial<QueryCommandInput>) => db().send(new QueryCommand({ TableName: TABLE, ...rest }));
  const range = (condition: string, values: object = {}, rest: Partial<QueryCommandInput> = {}) =>
    query({
      KeyConditionExpression: condition,
      ExpressionAttributeValues: { ':p': pk, ...values },
      ConsistentRead: true,
      ...rest,
    });
  const keys = (items: Record<string, unknown>[] | undefined) => items?.map(({ sk }) => sk);

  describe('a query', () => {
    it('returns a partition in the order of its sort keys, or backwards', async () => {
      expect(keys((await range('pk = :p')).Items)).toEqual(sortKeys);
      expect(keys((await range('pk = :p', {}, { ScanIndexForward: false })).Items)).toEqual([...sortKeys].reverse());
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
      ['pk = :p AND sk BETWEEN :a AND :b', { ':a': 'a', ':b': 'b' }, (sk) => sk.startsWith('a') || sk === 'b'],
      ['pk = :p AND sk BETWEEN :a AND :b', { ':a': 'a#11', ':b': 'a#19' }, () => false],
      ['pk = :p AND begins_with(sk, :a)', { ':a': 'a#' }, (sk) => sk.startsWith('a#')],
      ['pk = :p AND begins_with(sk, :a)', { ':a': '💩' }, (sk) => sk === '💩'],
      ['pk = :p AND sk > :a', { ':a': '\uff21' }, (sk) => sk === '💩'],
    ])('%s %j', async (condition, values, matches) => {
      expect(keys((await range(condition, values)).Items)).toEqual(sortKeys.filter(matches));
    });

    it('of a missing partition returns no items', async () => {
      expect(await range('pk = :p', { ':p': 'nobody' })).toMatchObject({
        Items: [],
        Count: 0,
        ScannedCount: 0,
      });
    });

    it.each([true, false])('continues from its LastEvaluatedKey (forward: %s)', async (ScanIndexForward) => {
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

    it('may start from a key that does not exist', async () => {
      const start = { pk, sk: 'a#15' };
      expect(keys((await range('pk = :p', {}, { ExclusiveStartKey: start })).Items)).toEqual(sortKeys.slice(4));
      const backwards = await range('pk = :p', {}, { ExclusiveStartKey: start, ScanIndexForward: false });
      expect(keys(backwards.Items)).toEqual(sortKeys.slice(0, 4).reverse());
    });

    it('that reaches its limit at the last item still returns a LastEvaluatedKey', async () => {
      const page = await range('pk = :p', {}, { Limit: sortKeys.length });
      expect(page.LastEvaluatedKey).toEqual({ pk, sk: sortKeys.at(-1) });
      expect((await range('pk = :p', {}, { Limit: sortKeys.length + 1 })).LastEvaluatedKey).toBeUndefined();
    });

    it('filters after the limit, and returns the number of scanned items', async () => {
      const page = await range('pk = :p', { ':t': true }, { FilterExpression: 'even = :t', Limit: 3 });
      expect(page).toMatchObject({ Count: 2, ScannedCount: 3, LastEvaluatedKey: { pk, sk: sortKeys[2] } });
      expect(keys(page.Items)).toEqual([sortKeys[0], sortKeys[2]]);
    });

    it('returns only the count on request', async () => {
      const page = await range('pk = :p', {}, { Select: 'COUNT' });
      expect(page.Items).toBeUndefined();
      expect(page).toMatchObject({ Count: sortKeys.length, ScannedCount: sortKeys.length });
    });

    it('projects the items', async () => {
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
      ['with a range of partition keys', { KeyConditionExpression: 'pk > :p' }, 'Query key condition not supported'],
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
      ['with NOT', { KeyConditionExpression: 'NOT pk = :p' }, 'Invalid operator used in KeyConditionExpression: NOT'],
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

    itDespite('sort-key-size', name).each<[string, string, string | RegExp]>([
      ['an empty sort key', '', 'The AttributeValue for a key attribute cannot contain an empty string value. Key: sk'],
      ['a sort key above 1,024 bytes', 'b'.repeat(1025), 'exceeded the size limit of 1024 bytes'],
    ])('with %s', async (_title, sk, message) => {
      await expectInvalid(range('pk = :p AND sk < :a', { ':a': sk }), message);
    });

    it.each<[string, object, string, boolean]>([
      ['pk = :p AND sk < :a', { ':a': 'b' }, 'b', true],
      ['pk = :p AND sk > :a', { ':a': 'b' }, 'a', false],
      ['pk = :p AND sk BETWEEN :a AND :b', { ':a': 'a', ':b': 'b' }, 'c', true],
      ['pk = :p AND begins_with(sk, :a)', { ':a': 'a#' }, 'a', true],
    ])('with a start key that does not meet %s', async (condition, values, sk, ScanIndexForward) => {
      const rest = { ExclusiveStartKey: { pk, sk }, ScanIndexForward };
      await expectInvalid(
        range(condition, values, rest),
        'The provided starting key does not match the range key predicate',
      );
    });
  });
});
