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
