import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { itDespite } from './differences.ts';
import { expectInvalid, refusal } from './refusal.ts';
import { describeEach, embedded, everywhere, TABLE } from './targets.ts';

const KB = 1024;

describeEach(everywhere, (db, name) => {
  const put = (Item: Record<string, unknown>, rest: object = {}) =>
    db().send(new PutCommand({ TableName: TABLE, Item, ...rest }));
  const get = (Key: Record<string, unknown>, rest: object = {}) =>
    db().send(new GetCommand({ TableName: TABLE, Key, ConsistentRead: true, ...rest }));
  const newKey = () => ({ pk: randomUUID(), sk: 'a' });

  describe('an item', () => {
    it('is returned with every type of value', async () => {
      const item = {
        ...newKey(),
        text: 'ü💩\u0000',
        empty: '',
        int: 42,
        negative: -1.5,
        tiny: 1e-7,
        zero: 0,
        yes: true,
        no: false,
        nothing: null,
        bytes: new Uint8Array([0, 255, 7]),
        texts: new Set(['a', 'b']),
        list: [1, 'two', [true], { three: 3 }],
        map: { b: 1, a: { deep: [] }, '': 0 },
      };
      await put(item);
      expect((await get({ pk: item.pk, sk: item.sk })).Item).toEqual(item);
    });

    it('keeps attribute names that are special in JavaScript', async () => {
      const item = {
        ...newKey(),
        constructor: 'c',
        toString: 's',
        map: { toString: 1, hasOwnProperty: true, length: 0 },
      };
      await put(item);
      expect((await get({ pk: item.pk, sk: item.sk })).Item).toEqual(item);
      const { Item } = await get(newKey(), {
        Key: { pk: item.pk, sk: item.sk },
        ProjectionExpression: '#m.toString, #m.valueOf, valueOf',
        ExpressionAttributeNames: { '#m': 'map' },
      });
      expect(Item).toEqual({ map: { toString: 1 } });
    });

    it.each([
      [undefined, undefined],
      ['#m', { '#m': 'map' }],
      ['#m.#l', { '#m': 'map', '#l': 'list' }],
    ])('is a copy: a caller who changes it changes nothing in the table (%s)', async (projection, names) => {
      const item = { ...newKey(), map: { list: [1] } };
      await put(item);
      const key = { pk: item.pk, sk: item.sk };
      const { Item } = await get(key, { ProjectionExpression: projection, ExpressionAttributeNames: names });
      const { map } = z.object({ map: z.object({ list: z.custom<number[]>(Array.isArray) }) }).parse(Item);
      map.list.push(2);
      expect((await get(key)).Item).toEqual(item);
    });

    it('that does not exist gives an output without Item', async () => {
      expect((await get(newKey())).Item).toBeUndefined();
    });

    it('is replaced by a second put, which can return the first item', async () => {
      const key = newKey();
      expect((await put({ ...key, a: 1 }, { ReturnValues: 'ALL_OLD' })).Attributes).toBeUndefined();
      expect((await put({ ...key, b: 2 }, { ReturnValues: 'ALL_OLD' })).Attributes).toEqual({ ...key, a: 1 });
      expect((await get(key)).Item).toEqual({ ...key, b: 2 });
    });

    it('is removed by a delete, which can return it; a delete of a missing item succeeds', async () => {
      const key = newKey();
      await put({ ...key, a: 1 });
      const remove = new DeleteCommand({ TableName: TABLE, Key: key, ReturnValues: 'ALL_OLD' });
      expect((await db().send(remove)).Attributes).toEqual({ ...key, a: 1 });
      expect((await get(key)).Item).toBeUndefined();
      expect((await db().send(remove)).Attributes).toBeUndefined();
    });

    it('drops undefined members and functions, like the marshaller', async () => {
      const key = newKey();
      await put({
        ...key,
        gone: undefined,
        f: () => 1,
        map: { gone: undefined, f: () => 1, stays: 1 },
        list: [undefined, 1],
      });
      expect((await get(key)).Item).toEqual({ ...key, map: { stays: 1 }, list: [1] });
    });
  });

  describe('the marshaller refuses', () => {
    class Strange {
      a = 1;
    }
    it.each([
      [
        'a class instance',
        new Strange(),
        /Unsupported type passed: \[object Object\]\. Pass options\.convertClassInstanceToMap=true/,
      ],
      ['a date', new Date(0), /Unsupported type passed/],
      [
        'an unsafe number',
        Number.MAX_SAFE_INTEGER + 1,
        /Number 9007199254740992 is greater than Number\.MAX_SAFE_INTEGER/,
      ],
      ['an unsafe negative number', Number.MIN_SAFE_INTEGER - 1, /is lesser than Number\.MIN_SAFE_INTEGER/],
      ['NaN', Number.NaN, /Special numeric value NaN is not allowed/],
      ['infinity', Number.POSITIVE_INFINITY, /Special numeric value Infinity is not allowed/],
      ['an empty set', new Set(), /Pass a non-empty set/],
      [
        'a set of booleans',
        new Set([true]),
        /Only Number Set \(NS\), Binary Set \(BS\) or String Set \(SS\) are allowed|Only sets of strings/,
      ],
      ['a map that looks like an instance', { constructor: 'c' }, /Unsupported type passed/],
      ['a symbol', { deep: [Symbol('s')] }, /./],
    ])('%s', async (_name, value, message) => {
      const error = await refusal(put({ ...newKey(), value }));
      expect(error.message).toMatch(message);
    });
  });

  describe('a key', () => {
    it.each([
      ['without its sort key', { pk: 'a' }],
      ['with one attribute too many', { pk: 'a', sk: 'b', more: 'c' }],
      ['of the wrong type', { pk: 1, sk: 'b' }],
    ])('%s does not match the schema', async (_name, key) => {
      await expectInvalid(get(key), 'The provided key element does not match the schema');
    });

    it('must be present in an item, with its type', async () => {
      await expectInvalid(
        put({ pk: 'a' }),
        'One or more parameter values were invalid: Missing the key sk in the item',
      );
      await expectInvalid(
        put({ pk: 'a', sk: 1 }),
        'One or more parameter values were invalid: Type mismatch for key sk expected: S actual: N',
      );
    });

    it('must not be an empty text', async () => {
      await expectInvalid(
        put({ pk: '', sk: 'a' }),
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
      );
      await expectInvalid(get({ pk: 'a', sk: '' }), 'cannot contain an empty string value. Key: sk');
    });

    it('has at most 2,048 bytes as partition key and 1,024 bytes as sort key', async () => {
      const unique = randomUUID();
      await put({ pk: unique.padEnd(2048, 'x'), sk: 'y'.repeat(1024) });
      await expectInvalid(
        put({ pk: unique.padEnd(2049, 'x'), sk: 'y' }),
        'Size of hashkey has exceeded the maximum size limit of2048 bytes',
      );
      await expectInvalid(
        get({ pk: 'x', sk: 'y'.repeat(1025) }),
        'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
      );
    });
  });

  describe('limits and refusals', () => {
    it('an item has at most 400 KB, including its names', async () => {
      const key = newKey();
      const rest = 400 * KB - 'pk'.length - key.pk.length - 'sk'.length - key.sk.length - 'd'.length;
      await put({ ...key, d: 'x'.repeat(rest) });
      expect((await get(key)).Item?.d).toHaveLength(rest);
      await expectInvalid(put({ ...key, d: 'x'.repeat(rest + 1) }), 'Item size has exceeded the maximum allowed size');
      await expectInvalid(
        db().send(
          new UpdateCommand({
            TableName: TABLE,
            Key: key,
            UpdateExpression: 'SET e = :e',
            ExpressionAttributeValues: { ':e': '' },
          }),
        ),
        'Item size to update has exceeded the maximum allowed size',
      );
    });

    it('a missing table gets the error of AWS', async () => {
      const error = await refusal(db().send(new GetCommand({ TableName: 'no-such-table', Key: newKey() })));
      expect([error.name, error.message]).toEqual(['ResourceNotFoundException', 'Requested resource not found']);
    });

    it('a put returns ALL_OLD or NONE', async () => {
      await expectInvalid(put(newKey(), { ReturnValues: 'ALL_NEW' }), 'ReturnValues can only be ALL_OLD or NONE');
    });

    itDespite('delete-return-values', name)('a delete returns ALL_OLD or NONE', async () => {
      await expectInvalid(
        db().send(new DeleteCommand({ TableName: TABLE, Key: newKey(), ReturnValues: 'UPDATED_NEW' })),
        'ReturnValues can only be ALL_OLD or NONE',
      );
    });
  });

  it('inputs and outputs share nothing with the stored item', async () => {
    const item = { ...newKey(), list: [{ a: 1 }], bytes: new Uint8Array([1]), texts: new Set(['a']) };
    const stored = structuredClone(item);
    await put(item);
    item.list.push({ a: 2 });
    item.bytes[0] = 9;
    item.texts.add('b');
    const key = { pk: item.pk, sk: item.sk };
    const first = (await get(key)).Item as typeof item;
    expect(first).toEqual(stored);
    first.list.push({ a: 3 });
    first.bytes[0] = 8;
    first.texts.clear();
    expect((await get(key)).Item).toEqual(stored);
    const { Items } = await db().send(
      new QueryCommand({
        TableName: TABLE,
        KeyConditionExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': item.pk },
      }),
    );
    (Items as [typeof item])[0].list.length = 0;
    expect((await get(key)).Item).toEqual(stored);
  });
});

describeEach(embedded, (db) => {
  it('lists and maps nest 32 levels deep, not 33', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const put = (levels: number) =>
      db().send(new PutCommand({ TableName: TABLE, Item: { pk: 'nested', sk: 'a', deep: nested(levels) } }));
    await put(31);
    await expectInvalid(put(40), 'Nesting Levels have exceeded supported limits');
  });
});
