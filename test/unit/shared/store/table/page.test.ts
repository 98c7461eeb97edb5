import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import { encodeCursor } from '../../../../../shared/store/table/cursor.ts';
import type { Filter } from '../../../../../shared/store/table/page.ts';
import { webhookStore } from '../../../../../shared/store/subscriptions/webhooks.ts';
import { aWebhook } from '../../../../support/a-webhook.ts';
import { type OpenEngine, openEngine, shortCircuitedClient, TABLE } from '../../../contract/dynamodb/targets.ts';

const COUNT = 250;
const ownerId = UserId.parse('u_owner');
const numbered = (n: number): Webhook =>
  aWebhook({
    id: WebhookId.parse(`wh_${String(n).padStart(4, '0')}`),
    ownerId,
    name: `number ${n}`,
    createdAt: n,
    updatedAt: n,
  });
const numberOf = ({ id }: Webhook) => Number(id.slice(3));
const multiplesOf =
  (factor: number): Filter<Webhook> =>
  (webhook) =>
    numberOf(webhook) % factor === 0;

let engine: OpenEngine;
let store: ReturnType<typeof webhookStore>;
let consumed: string[] = [];

beforeAll(async () => {
  engine = await openEngine({
    onConsumed: (_table, operation, { read }) => void (read && consumed.push(`${operation} ${read}`)),
  });
  store = webhookStore({ dynamo: shortCircuitedClient(engine.service), tableName: TABLE });
  for (let n = 0; n < COUNT; n += 1) await store.create(numbered(n), COUNT);
  await store.create({ ...numbered(999), ownerId: UserId.parse('u_other') }, 1);
});
afterAll(() => engine.close());
beforeEach(() => {
  consumed = [];
});

interface Location {
  after?: number;
  before?: number;
}
const cursor = (n: number | undefined) =>
  n === undefined ? undefined : encodeCursor({ list: 'webhooks', ownerId }, numbered(n).id);
async function list(limit: number, { after, before }: Location = {}, filter?: Filter<Webhook>) {
  const request = { limit, after: cursor(after), before: cursor(before) };
  const { items, totalCount } = await store.list(ownerId, request, filter);
  return [items.map(numberOf), totalCount];
}

describe('a filtered list', () => {
  const sevens = multiplesOf(7);

  test('counts what matches, whatever the page', async () => {
    expect(await list(3, {}, sevens)).toEqual([[245, 238, 231], 36]);
    expect(await list(3, { after: 7 }, sevens)).toEqual([[0], 36]);
    expect(await list(3, { after: 0 }, sevens)).toEqual([[], 36]);
    expect(await list(3, {}, () => false)).toEqual([[], 0]);
    expect(await list(100, {}, () => true)).toEqual([expect.objectContaining({ length: 100 }), COUNT]);
  });

  test('continues after and before a cursor, also at an item that does not match', async () => {
    expect(await list(2, { after: 238 }, sevens)).toEqual([[231, 224], 36]);
    expect(await list(2, { after: 100 }, sevens)).toEqual([[98, 91], 36]);
    expect(await list(2, { before: 100 }, sevens)).toEqual([[112, 105], 36]);
    expect(await list(5, { before: 231 }, sevens)).toEqual([[245, 238], 36]);
    expect(await list(5, { before: 245 }, sevens)).toEqual([[], 36]);
  });

  test('gives every match once when it is walked down and up', async () => {
    const tens = multiplesOf(10);
    const all = Array.from({ length: 25 }, (_, n) => (24 - n) * 10);
    const walk = async (
      locationAt: (edge: number | undefined) => Location,
      edgeOf: (page: number[]) => number | undefined,
    ) => {
      const pages: number[][] = [];
      for (let edge: number | undefined; pages.length < 10;) {
        const [page] = (await list(4, locationAt(edge), tens)) as [number[], number];
        if (page.length === 0) break;
        pages.push(page);
        edge = edgeOf(page);
      }
      return pages;
    };
    const down = await walk(
      (after) => (after === undefined ? {} : { after }),
      (page) => page.at(-1),
    );
    expect(down.flat()).toEqual(all);
    const up = await walk(
      (before = 0) => ({ before }),
      ([first]) => first,
    );
    expect(up.reverse().flat()).toEqual(all.slice(0, -1));
  });

  test('reads each item of the list once', async () => {
    await list(1, {}, sevens);
    // 250 pointers are one query; 100 webhooks of less than 4 KB are 100 units.
    expect(consumed).toEqual([
      expect.stringMatching(/^Query \d\.?5?$/),
      'BatchGetItem 100',
      'BatchGetItem 100',
      'BatchGetItem 50',
    ]);
  });
});

test('a list without a filter reads its page and the count, and no other item', async () => {
  expect(await list(10, { after: 100 })).toEqual([[99, 98, 97, 96, 95, 94, 93, 92, 91, 90], COUNT]);
  expect(consumed.sort()).toEqual(['BatchGetItem 10', 'GetItem 1', 'Query 1']);
});
