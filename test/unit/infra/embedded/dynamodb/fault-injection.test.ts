import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomFaults, type Faults, type FaultKind } from '../../../../../infra/embedded/faults.ts';
import { openEngine, TABLE, type OpenEngine } from '../../../contract/dynamodb/targets.ts';

describe('with fault injection', () => {
  let engine: OpenEngine;
  let faults: Faults;
  const call = (operation: string, input: object) => engine.service.call(operation, { TableName: TABLE, ...input });
  const key = { pk: 'p', sk: 's' };
  const get = async (rest: object = {}) => (await call('GetItem', { Key: key, ...rest })).Item;
  const query = async (rest: object = {}) =>
    (
      await call('Query', {
        KeyConditionExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': 'p' },
        ...rest,
      })
    ).Items;
  const always = (kind: FaultKind) => randomFaults(1, { [kind]: 1 });

  async function open(kind: FaultKind) {
    await engine.close();
    faults = always(kind);
    engine = await openEngine({ faults });
  }
  beforeEach(async () => {
    engine = await openEngine();
  });
  afterEach(() => engine.close());

  it('an eventually consistent read sees the previous version for a second, a consistent read never', async () => {
    await open('stale-read');
    await call('PutItem', { Item: { ...key, v: 1 } });
    engine.clock.advance(1000);
    await call('PutItem', { Item: { ...key, v: 2 } });
    expect(await get()).toEqual({ ...key, v: 1 });
    expect(await query()).toEqual([{ ...key, v: 1 }]);
    expect(await get({ ConsistentRead: true })).toEqual({ ...key, v: 2 });
    expect(await query({ ConsistentRead: true })).toEqual([{ ...key, v: 2 }]);
    expect(faults.counts['stale-read']).toBe(2);
    engine.clock.advance(1000);
    expect(await get()).toEqual({ ...key, v: 2 });
    expect(await query()).toEqual([{ ...key, v: 2 }]);
    expect(faults.counts['stale-read']).toBe(2);
  });

  it('an eventually consistent read misses a new item and still sees a deleted one', async () => {
    await open('stale-read');
    await call('PutItem', { Item: { ...key, large: 'x'.repeat(50_000) } });
    expect([await get(), await query()]).toEqual([undefined, []]);
    engine.clock.advance(1000);
    await call('DeleteItem', { Key: key });
    expect(await get()).toMatchObject(key);
    expect(await query()).toHaveLength(1);
    expect(await query({ ConsistentRead: true })).toEqual([]);
  });

  it('a transaction is cancelled because of another one, and succeeds when it is sent again', async () => {
    await engine.close();
    faults = randomFaults(3, { 'transaction-conflict': 0.9 });
    engine = await openEngine({ faults });
    const input = { TransactItems: [{ Put: { TableName: TABLE, Item: { ...key, v: 1 } } }] };
    const send = () => engine.service.call('TransactWriteItems', input);
    let refused = 0;
    for (let isDone = false; !isDone;)
      isDone = await send().then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ members: { CancellationReasons: [{ Code: 'TransactionConflict' }] } });
          refused += 1;
          return false;
        },
      );
    expect([refused > 0, await get({ ConsistentRead: true })]).toEqual([true, { ...key, v: 1 }]);
  });

  it('names, members of sets and items of a batch read come in another order', async () => {
    await open('other-order');
    const item = { ...key, list: [1, 2], map: { a: 1, b: 2 }, set: new Set(['a', 'b']) };
    await call('PutItem', { Item: item });
    await call('PutItem', { Item: { pk: 'p', sk: 't' } });
    const found = (await get({ ConsistentRead: true })) as typeof item;
    expect(found).toEqual(item);
    expect([Object.keys(found), Object.keys(found.map), [...found.set]]).toEqual([
      ['set', 'map', 'list', 'sk', 'pk'],
      ['b', 'a'],
      ['b', 'a'],
    ]);
    const RequestItems = { [TABLE]: { Keys: [key, { pk: 'p', sk: 't' }], ConsistentRead: true } };
    const { Responses } = await engine.service.call('BatchGetItem', { RequestItems });
    expect(Responses).toMatchObject({ [TABLE]: [{ sk: 't' }, { sk: 's' }] });
    expect(await query({ ConsistentRead: true })).toMatchObject([{ sk: 's' }, { sk: 't' }]);
  });

  it('a batch returns some entries unprocessed, in a shape that can be sent again', async () => {
    await engine.close();
    faults = randomFaults(7, { 'unprocessed-item': 0.5 });
    engine = await openEngine({ faults });
    const items = Array.from({ length: 25 }, (_, i) => ({ pk: 'p', sk: String(i) }));
    let RequestItems: unknown = { [TABLE]: items.map((Item) => ({ PutRequest: { Item } })) };
    for (let i = 0; i < 50 && Object.keys(RequestItems as object).length > 0; i += 1) {
      RequestItems = (await engine.service.call('BatchWriteItem', { RequestItems })).UnprocessedItems;
    }
    expect(await query({ ConsistentRead: true })).toHaveLength(25);
    let keys: unknown = { [TABLE]: { Keys: items } };
    let found = 0;
    for (let i = 0; i < 50 && Object.keys(keys as object).length > 0; i += 1) {
      const output = await engine.service.call('BatchGetItem', { RequestItems: keys });
      found += (output.Responses as Record<string, unknown[]>)[TABLE]?.length ?? 0;
      keys = output.UnprocessedKeys;
    }
    expect(found).toBe(25);
    expect(faults.counts['unprocessed-item']).toBeGreaterThan(20);
  });
});
