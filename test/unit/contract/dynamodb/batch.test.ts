import { randomUUID } from 'node:crypto';
import { BatchGetCommand, BatchWriteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { itDespite } from './differences.ts';
import { expectInvalid, refusal } from './refusal.ts';
import { describeEach, everywhere, OTHER, TABLE } from './targets.ts';

type Attributes = Record<string, unknown>;

describeEach(everywhere, (db, name) => {
  const write = (requests: object[], table = TABLE) =>
    db().send(new BatchWriteCommand({ RequestItems: { [table]: requests as never } }));
  const read = (Keys: Attributes[], rest: object = {}) =>
    db().send(new BatchGetCommand({ RequestItems: { [TABLE]: { Keys, ConsistentRead: true, ...rest } } }));
  const put = (Item: Attributes) => ({ PutRequest: { Item } });
  const remove = (Key: Attributes) => ({ DeleteRequest: { Key } });
  const many = (count: number, pk: string = randomUUID()) =>
    Array.from({ length: count }, (_, i) => ({ pk, sk: String(i).padStart(3, '0') }));
  const bySortKey = (items: Attributes[] | undefined) =>
    [...(items ?? [])].sort((a, b) => String(a.sk).localeCompare(String(b.sk)));

  describe('a batch of writes', () => {
    it('puts and deletes up to 25 items of several tables', async () => {
      const [gone = {}, ...rest] = many(25);
      await write([put({ ...gone, a: 1 })]);
      const other = { pk: 'p', sk: 's' };
      const { UnprocessedItems } = await db().send(
        new BatchWriteCommand({
          RequestItems: { [TABLE]: [remove(gone), ...rest.slice(1).map(put)], [OTHER]: [put(other)] },
        }),
      );
      expect(UnprocessedItems).toEqual({});
      expect(bySortKey((await read([gone, ...rest])).Responses?.[TABLE])).toEqual(rest.slice(1));
      const { Item } = await db().send(new GetCommand({ TableName: OTHER, Key: other }));
      expect(Item).toEqual(other);
    });

    it('has at most 25 entries', async () => {
      await write(many(25).map(put));
      await expectInvalid(
        write(many(26).map(put)),
        'Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]',
      );
      await expectInvalid(write([]), 'Member must have length greater than or equal to 1');
    });

    it('cannot name an item twice', async () => {
      const [key = {}] = many(1);
      await expectInvalid(write([put(key), remove(key)]), 'Provided list of item keys contains duplicates');
    });

    it('is refused as a whole if one item is too large or has no key', async () => {
      const [a = {}, b = {}] = many(2);
      await expectInvalid(
        write([put(a), put({ ...b, d: 'x'.repeat(410_000) })]),
        'Item size has exceeded the maximum allowed size',
      );
      await expectInvalid(write([put(a), put({ pk: 'x' })]), 'The provided key element does not match the schema');
      await expectInvalid(write([put(a), remove({ pk: 'x' })]), 'The provided key element does not match the schema');
      expect((await read([a])).Responses?.[TABLE]).toEqual([]);
    });

    it('is refused for a table that does not exist', async () => {
      expect((await refusal(write(many(1).map(put), 'no-such-table'))).name).toBe('ResourceNotFoundException');
    });
  });

  describe('a batch of reads', () => {
    it('returns the existing items, projected', async () => {
      const pk = randomUUID();
      const [a, b, c] = [
        { pk, sk: '000' },
        { pk, sk: '001' },
        { pk, sk: '002' },
      ] as const;

      await write([put({ ...a, x: 1, y: 2 }), put({ ...c, x: 3 })]);
      const { Responses, UnprocessedKeys } = await read([a, b, c], {
        ProjectionExpression: 'sk, #x',
        ExpressionAttributeNames: { '#x': 'x' },
      });
      expect(bySortKey(Responses?.[TABLE])).toEqual([
        { sk: a.sk, x: 1 },
        { sk: c.sk, x: 3 },
      ]);
      expect(UnprocessedKeys).toEqual({});
    });

    it('has at most 100 keys', async () => {
      const keys = many(101);
      expect((await read(keys.slice(1))).Responses?.[TABLE]).toEqual([]);
      await expectInvalid(read(keys), 'Member must have length less than or equal to 100');
      await expectInvalid(
        db().send(
          new BatchGetCommand({
            RequestItems: {
              [TABLE]: { Keys: keys.slice(1) },
              [OTHER]: { Keys: [{ pk: 'p', sk: 's' }] },
            },
          }),
        ),
        'Too many items requested for the BatchGetItem call',
      );
    });

    it('cannot name a key twice', async () => {
      const [key = {}] = many(1);
      await expectInvalid(read([key, key]), 'Provided list of item keys contains duplicates');
    });

    itDespite('partition-megabyte', name)('leaves keys unprocessed beyond 1 MB of one partition', async () => {
      const keys = many(3);
      for (const key of keys) {
        await db().send(new PutCommand({ TableName: TABLE, Item: { ...key, d: 'x'.repeat(400_000) } }));
      }
      const first = await read(keys);
      expect(bySortKey(first.Responses?.[TABLE]).map(({ sk }) => sk)).toEqual(['000', '001']);
      expect(first.UnprocessedKeys).toEqual({ [TABLE]: { Keys: [keys[2]], ConsistentRead: true } });
      const second = await db().send(new BatchGetCommand({ RequestItems: first.UnprocessedKeys }));
      expect(second.Responses?.[TABLE]).toHaveLength(1);
    });

    itDespite('partition-megabyte', name)('leaves keys unprocessed beyond 16 MB', async () => {
      const keys = Array.from({ length: 42 }, () => ({ pk: randomUUID(), sk: 'a' }));
      for (const key of keys) {
        await db().send(new PutCommand({ TableName: TABLE, Item: { ...key, d: 'x'.repeat(400_000) } }));
      }
      const { Responses, UnprocessedKeys } = await read(keys);
      // 41 of 400,045 bytes are 16.4 million, 42 are more than 16 MiB.
      expect(Responses?.[TABLE]).toHaveLength(41);
      expect(UnprocessedKeys?.[TABLE]?.Keys).toHaveLength(1);
    });
  });
});
