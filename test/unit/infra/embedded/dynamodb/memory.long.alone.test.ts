import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import type { Disk } from '../../../../../infra/embedded/disk/disk.ts';
import { DynamoDbService } from '../../../../../infra/embedded/dynamodb/service.ts';
import type { TableSpec } from '../../../../../infra/embedded/dynamodb/table-spec.ts';
import { noFaults } from '../../../../../infra/embedded/faults.ts';
import { openDisk } from '../../../../../infra/embedded/disk/open-disk.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

const ITEMS = 20_000;

const spec: TableSpec = {
  name: 'EventsTable4B7491D3',
  keySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  attributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  timeToLiveAttribute: 'expiresAt',
};

/**
 * Bytes of the heap and of buffers. Node frees buffers some time after their collection, so it reads until they no
 * longer fall.
 */
async function usedBytes(): Promise<number> {
  for (let last = Infinity; ;) {
    if (typeof collectGarbage === 'function') collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const used = heapUsed + arrayBuffers;
    if (used > last - 100_000) return used;
    last = used;
  }
}

/** docs/embedded.md, "Memory". */
test.each([
  ['a long list', ITEMS, 80],
  ['lists of a hundred', 100, 200],
  ['lists of one', 1, 550],
])('a position in %s takes little memory while nobody reads its item', async (_lists, perList, maxBytes) => {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-memory-'));
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const expiresAt = clock.now() / 1000 + 8 * 86_400;
  const open = async (disk: Disk) => {
    const service = new DynamoDbService({
      disk,
      clock,
      faults: noFaults,
      region: 'us-east-1',
      account: '000000000000',
    });
    await service.createTable(spec);
    return service;
  };
  // A function of its own, so that nothing keeps what it needed.
  const fill = async () => {
    const disk = await openDisk(directory, { sync: 'interval' });
    const service = await open(disk);
    for (let n = 0; n < ITEMS; n += 1) {
      const sk = `dl_${n.toString(36).padStart(24, '0')}#WGxXH5`;
      const pk = `LOG#wh_0mwt8akq6xus733q${String(Math.floor(n / perList)).padStart(8, '0')}`;
      const Item = { pk, sk, expiresAt, entries: 'x'.repeat(500) };
      await service.call('PutItem', { TableName: spec.name, Item });
    }
    service.close();
    await disk.close();
  };
  await fill();
  const disk = await openDisk(directory, { sync: 'interval' });
  try {
    const before = await usedBytes();
    const service = await open(disk);
    const perItem = ((await usedBytes()) - before) / ITEMS;
    service.close();
    console.log(`${Math.round(perItem)} bytes an item`);
    expect(perItem).toBeGreaterThan(0);
    expect(perItem).toBeLessThan(maxBytes);
  } finally {
    await disk.close();
    rmSync(directory, { recursive: true });
  }
});
