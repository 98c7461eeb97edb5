import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { type Disk, DiskUnavailable } from '../../../../../infra/embedded/disk/disk.ts';
import { openDisk } from '../../../../../infra/embedded/disk/open-disk.ts';
import { DynamoDbService } from '../../../../../infra/embedded/dynamodb/service.ts';
import { type TableSpec } from '../../../../../infra/embedded/dynamodb/table-spec.ts';
import { noFaults } from '../../../../../infra/embedded/faults.ts';
import { type HeldDisk, heldDisk } from '../../../../support/held-disk.ts';

const spec: TableSpec = {
  name: 'durable',
  keySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  attributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  timeToLiveAttribute: 'expires',
};

describe('after a restart', () => {
  let path: string;
  let disk: Disk;
  let db: DynamoDbService;
  const clock = new FakeClock();

  async function start(with_: TableSpec = spec) {
    disk = await openDisk(path, { sync: 'interval' });
    db = new DynamoDbService({ disk, clock, faults: noFaults, region: 'us-east-1', account: '000000000000' });
    await db.createTable(with_);
  }
  async function stop() {
    db.close();
    await disk.close();
  }
  const put = (Item: object) => db.call('PutItem', { TableName: spec.name, Item });
  const get = async (Key: object) => (await db.call('GetItem', { TableName: spec.name, Key })).Item;
  const query = (input: object) => db.call('Query', { TableName: spec.name, ...input });

  const partition = async () =>
    (await query({ KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'p' } })).Items as Record<
      string,
      unknown
    >[];

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'tributary-dynamodb-'));
    await start();
  });
  afterEach(async () => {
    await stop();
    await rm(path, { recursive: true });
  });

  it('every item is unchanged, whatever its values and keys', async () => {
    const keys = ['plain', '\u0000', '\u0001', '\u0001\u0000\u0002', '\uffff', '💩', '=', '/', 'ü', ' '];
    const items = keys.flatMap((pk) =>
      keys.map((sk, i) => ({
        pk,
        sk,
        i,
        list: [null, true, 'ü💩'],
        map: JSON.parse('{"__proto__":1,"b":{"a":[]}}') as object,
      })),
    );
    for (const item of items) await put(item);
    const special = {
      pk: 'special',
      sk: 's',
      bytes: new Uint8Array([0, 255]),
      set: new Set(['x']),
    };
    await put(special);
    await stop();
    await start();
    for (const item of items) {
      const found = await get({ pk: item.pk, sk: item.sk });
      expect(found).toEqual(item);
      expect(Object.keys((found as typeof item).map)).toEqual(['__proto__', 'b']);
    }
    expect(await get({ pk: 'special', sk: 's' })).toEqual(special);
  });

  it('partitions are in order, without deleted items', async () => {
    for (const sk of ['c', 'a', '💩', 'b', '\uff21']) await put({ pk: 'p', sk });
    await db.call('DeleteItem', { TableName: spec.name, Key: { pk: 'p', sk: 'b' } });
    const sortKeys = async () => (await partition()).map(({ sk }) => sk);
    expect(await sortKeys()).toEqual(['a', 'c', '\uff21', '💩']);
    await stop();
    await start();
    expect(await sortKeys()).toEqual(['a', 'c', '\uff21', '💩']);
  });

  it('items still expire', async () => {
    const expires = Math.floor(clock.now() / 1000) + 3600;
    await put({ pk: 'p', sk: 'goes', expires });
    await put({ pk: 'p', sk: 'stays' });
    await stop();
    await start();
    clock.advance(3_590_000);
    expect(await get({ pk: 'p', sk: 'goes' })).toBeDefined();
    clock.advance(130_000);
    expect(await get({ pk: 'p', sk: 'goes' })).toBeUndefined();
    expect(await get({ pk: 'p', sk: 'stays' })).toBeDefined();
    await disk.commit();
    await stop();
    await start();
    expect(await get({ pk: 'p', sk: 'goes' })).toBeUndefined();
  });

  it('a new time to live holds for the items that are older than it', async () => {
    await stop();
    await start({ ...spec, name: 'grown', timeToLiveAttribute: undefined });
    const expires = Math.floor(clock.now() / 1000) + 60;
    const Key = { pk: 'p', sk: 's' };
    await db.call('PutItem', { TableName: 'grown', Item: { ...Key, expires } });
    await stop();
    await start({ ...spec, name: 'grown' });
    expect((await db.call('GetItem', { TableName: 'grown', Key })).Item).toEqual({ ...Key, expires });
    clock.advance(200_000);
    expect((await db.call('GetItem', { TableName: 'grown', Key })).Item).toBeUndefined();
  });

  it('another key schema is refused', async () => {
    const changed = {
      ...spec,
      keySchema: spec.keySchema.map((each) => ({ ...each, KeyType: each.KeyType === 'HASH' ? 'RANGE' : 'HASH' })),
    };
    await expect(db.createTable(changed)).rejects.toThrow(/Table durable has data with the key schema/);
  });

  it('100,000 items are loaded in less than 3 s of CPU time', async () => {
    for (let i = 0; i < 100_000; i += 25) {
      const requests = Array.from({ length: 25 }, (_, k) => ({
        PutRequest: {
          Item: {
            pk: `emitter#${(i + k) % 1000}`,
            sk: `event#${String(i + k).padStart(8, '0')}`,
            d: 'x'.repeat(100),
          },
        },
      }));
      void db.call('BatchWriteItem', { RequestItems: { [spec.name]: requests } });
    }
    await disk.commit();
    await stop();
    const started = process.cpuUsage();
    await start();
    const { user, system } = process.cpuUsage(started);
    const { Count } = await query({
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': 'emitter#7' },
    });
    expect(Count).toBe(100);
    // CPU time of this process, because the machine may be busy: about 400 ms with the opening of the disk.
    expect((user + system) / 1000).toBeLessThan(3000);
  });
});

describe('a response', () => {
  let path: string;
  let disk: HeldDisk;
  let db: DynamoDbService;
  const responses: string[] = [];
  const Item = { pk: 'p', sk: 's' };
  const call = (name: string, operation: string, input: object) =>
    db.call(operation, { TableName: spec.name, ...input }).then(
      ({ Item: found, Count }) => responses.push(found || Count ? `${name} found` : name),
      () => responses.push(`${name} refused`),
    );

  beforeEach(async () => {
    responses.length = 0;
    path = await mkdtemp(join(tmpdir(), 'tributary-dynamodb-'));
    disk = heldDisk(await openDisk(path, { sync: 'interval' }));
    const options = { clock: new FakeClock(), faults: noFaults, region: 'us-east-1', account: '000000000000' };
    db = new DynamoDbService({ disk, ...options });
    const created = db.createTable(spec);
    await new Promise(setImmediate);
    disk.release();
    await created;
  });
  afterEach(async () => {
    db.close();
    await disk.close();
    await rm(path, { recursive: true });
  });

  it('comes after its changes are on disk', async () => {
    void call('put', 'PutItem', { Item });
    // This refusal depends on an item that is not on disk yet, so it must wait, too.
    const second = call('second', 'PutItem', { Item, ConditionExpression: 'attribute_not_exists(pk)' });
    await new Promise(setImmediate);
    expect(responses).toEqual([]);
    disk.release();
    await second;
    expect(responses).toEqual(['put', 'second refused']);
  });

  const PARTITION = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'p' } };

  it.each([
    ['GetItem', { Key: Item }],
    ['Query', PARTITION],
  ])('of %s comes after the changes that it shows are on disk', async (operation, input) => {
    void call('put', 'PutItem', { Item });
    const read = call('read', operation, input);
    await new Promise(setImmediate);
    expect(responses).toEqual([]);
    disk.release();
    await read;
    expect(responses).toEqual(['put', 'read found']);
  });

  it('of a read comes although the disk takes no writes', async () => {
    void call('put', 'PutItem', { Item });
    disk.problem = new DiskUnavailable(new Error('full'));
    await call('read', 'GetItem', { Key: Item });
    expect(responses).toEqual(['read found']);
  });
});
