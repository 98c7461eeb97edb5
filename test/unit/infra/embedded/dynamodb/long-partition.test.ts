import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { TABLE, openEngine, type OpenEngine } from '../../../contract/dynamodb/targets.ts';

/** Items of this size are never in the cache, so all but the newest of a long partition are packed. */
const LARGE = 'x'.repeat(17_000);
const ITEMS = 600;
const sortKey = (n: number) => `dl_${String(n).padStart(6, '0')}`;

let path: string;
let engine: OpenEngine;
const clock = new FakeClock();
const now = Math.floor(clock.now() / 1000);

const call = (operation: string, input: object) => engine.service.call(operation, { TableName: TABLE, ...input });
const put = (n: number, version: number, expires = 0) =>
  call('PutItem', {
    Item: { pk: 'p', sk: sortKey(n), version, large: LARGE, ...(expires && { expires }) },
  });

/** Sort keys and versions, read page by page. */
async function versions(rest: object = {}): Promise<[string, number][]> {
  const found: [string, number][] = [];
  let ExclusiveStartKey: unknown;
  do {
    const page = await call('Query', {
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': 'p' },
      ExclusiveStartKey,
      ...rest,
    });
    for (const { sk, version } of page.Items as { sk: string; version: number }[]) found.push([sk, version]);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}

const expected = (from: number, to: number, version = 1) =>
  Array.from({ length: to - from }, (_, n): [string, number] => [sortKey(from + n), version]);

async function restart() {
  await engine.close();
  engine = await openEngine({ path, clock });
}

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'tributary-dynamodb-'));
  engine = await openEngine({ path, clock });
});
afterEach(async () => {
  await engine.close();
  await rm(path, { recursive: true });
});

it('is read whole in both directions, before and after a restart', async () => {
  for (let n = 0; n < ITEMS; n += 1) await put(n, 1);
  for (const restarts of [false, true]) {
    if (restarts) await restart();
    expect(await versions()).toEqual(expected(0, ITEMS));
    expect(await versions({ ScanIndexForward: false })).toEqual(expected(0, ITEMS).reverse());
  }
});

it('takes changes and deletions of items that nobody has read for long', async () => {
  for (let n = 0; n < ITEMS; n += 1) await put(n, 1);
  for (let n = 100; n < 120; n += 1) await put(n, 2);
  for (let n = 200; n < 220; n += 1) await call('DeleteItem', { Key: { pk: 'p', sk: sortKey(n) } });
  const left = [...expected(0, 100), ...expected(100, 120, 2), ...expected(120, 200), ...expected(220, ITEMS)];
  for (const restarts of [false, true]) {
    if (restarts) await restart();
    expect(await versions()).toEqual(left);
  }
});

it('loses the items that expire, and those only', async () => {
  for (let n = 0; n < ITEMS; n += 1) await put(n, 1, n < 300 ? now + 600 : now + 86_400);
  // A later expiry and none at all: an item expires when its last version says.
  await put(50, 2, now + 86_400);
  await put(60, 2);
  clock.advance(800_000);
  const left: [string, number][] = [[sortKey(50), 2], [sortKey(60), 2], ...expected(300, ITEMS)];
  expect(await versions()).toEqual(left);
  await engine.disk.commit();
  await restart();
  expect(await versions()).toEqual(left);
});
