import { randomUUID } from 'node:crypto';
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { expectInvalid, refusal } from './refusal.ts';
import { describeEach, embedded, TABLE } from './targets.ts';

/**
 * dynalite has no transactions. These promises are AWS's documentation:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
describeEach(embedded, (db) => {
  const newKey = () => ({ pk: randomUUID(), sk: 'a' });
  const put = (Item: object, rest: object = {}) => ({ Put: { TableName: TABLE, Item, ...rest } });
  const transact = (TransactItems: object[], rest: { ClientRequestToken?: string } = {}) =>
    db().send(new TransactWriteCommand({ TransactItems: TransactItems as never, ...rest }));
  const get = async (Key: Record<string, unknown>) =>
    (await db().send(new GetCommand({ TableName: TABLE, Key, ConsistentRead: true }))).Item;

  describe('a transaction', () => {
    it('puts, updates, deletes and checks in one step', async () => {
      const [a, b, c, d] = [newKey(), newKey(), newKey(), newKey()];
      await transact([put({ ...b, n: 1 }), put(c), put({ ...d, ok: true })]);
      await transact([
        put({ ...a, new: true }, { ConditionExpression: 'attribute_not_exists(pk)' }),
        {
          Update: {
            TableName: TABLE,
            Key: b,
            UpdateExpression: 'ADD n :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
        { Delete: { TableName: TABLE, Key: c, ConditionExpression: 'attribute_exists(pk)' } },
        {
          ConditionCheck: {
            TableName: TABLE,
            Key: d,
            ConditionExpression: 'ok = :t',
            ExpressionAttributeValues: { ':t': true },
          },
        },
      ]);
      expect([await get(a), await get(b), await get(c), await get(d)]).toEqual([
        { ...a, new: true },
        { ...b, n: 2 },
        undefined,
        { ...d, ok: true },
      ]);
    });

    it('changes nothing if one condition fails, and names the failed entry', async () => {
      const [a, b, c] = [newKey(), newKey(), newKey()];
      await transact([put({ ...b, n: 1 })]);
      const error = await refusal(
        transact([
          put(a),
          put(b, { ConditionExpression: 'attribute_not_exists(pk)' }),
          {
            Delete: {
              TableName: TABLE,
              Key: c,
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
        ]),
      );
      expect(error.name).toBe('TransactionCanceledException');
      expect(error.message).toBe(
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed]',
      );
      const [first, second, third] = error.CancellationReasons as Record<string, unknown>[];
      expect(first).toEqual({ Code: 'None' });
      expect(second).toMatchObject({
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
      });
      expect(third).toEqual({ Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' });
      expect(await get(a)).toBeUndefined();
    });

    it('is cancelled with a ValidationError if an update does not fit the item', async () => {
      const [a, b] = [newKey(), newKey()];
      await transact([put({ ...b, n: 'text' })]);
      const error = await refusal(
        transact([
          put(a),
          {
            Update: {
              TableName: TABLE,
              Key: b,
              UpdateExpression: 'ADD n :one',
              ExpressionAttributeValues: { ':one': 1 },
            },
          },
        ]),
      );
      expect(error.name).toBe('TransactionCanceledException');
      expect(error.CancellationReasons).toEqual([
        { Code: 'None' },
        {
          Code: 'ValidationError',
          Message: 'An operand in the update expression has an incorrect data type',
        },
      ]);
      expect(await get(a)).toBeUndefined();
    });

    it('has at most 100 entries, and at least one', async () => {
      await transact(Array.from({ length: 100 }, () => put(newKey())));
      await expectInvalid(
        transact(Array.from({ length: 101 }, () => put(newKey()))),
        "at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100",
      );
      await expectInvalid(transact([]), 'Member must have length greater than or equal to 1');
    });

    it('has items of at most 4 MB together', async () => {
      const ofSize = (bytes: number) => {
        const key = newKey();
        return put({ ...key, d: 'x'.repeat(bytes - 4 - key.pk.length - 1 - 1) });
      };
      const quarter = 4 * 1024 * 1024 - 10 * 400 * 1024;
      const ten = () => Array.from({ length: 10 }, () => ofSize(400 * 1024));
      await transact([...ten(), ofSize(quarter)]);
      await expectInvalid(transact([...ten(), ofSize(quarter + 1)]), '4 MB');
    });

    it('is refused with a ClientRequestToken of more than 36 characters', async () => {
      const key = newKey();
      await expectInvalid(transact([put(key)], { ClientRequestToken: 'x'.repeat(37) }), 'clientRequestToken');
      expect(await get(key)).toBeUndefined();
      await transact([put(key)], { ClientRequestToken: 'x'.repeat(36) });
      expect(await get(key)).toEqual(key);
    });

    it('cannot touch an item twice', async () => {
      const key = newKey();
      await expectInvalid(
        transact([put(key), { Delete: { TableName: TABLE, Key: key } }]),
        'Transaction request cannot include multiple operations on one item',
      );
    });

    it('is refused for an invalid expression, table or key in any entry', async () => {
      const key = newKey();
      await expectInvalid(
        transact([put(key), put(newKey(), { ConditionExpression: 'a =' })]),
        'Invalid ConditionExpression: Syntax error',
      );
      await expectInvalid(transact([put(key), put({ pk: 'x' })]), 'Missing the key sk in the item');
      const elsewhere = { Put: { TableName: 'no-such-table', Item: key } };
      expect((await refusal(transact([elsewhere]))).name).toBe('ResourceNotFoundException');
      expect(await get(key)).toBeUndefined();
    });
  });
});
