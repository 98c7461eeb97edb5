import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ClassicLevel } from 'classic-level';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeClock } from '../../../../../../infra/embedded/clock.ts';
import { noFaults } from '../../../../../../infra/embedded/faults.ts';
import { BodyBudget } from '../../../../../../infra/embedded/sqs/queue/body-budget.ts';
import { queueDefaults } from '../../../../../../infra/embedded/sqs/queue-spec.ts';
import { Queue } from '../../../../../../infra/embedded/sqs/queue/queue.ts';
import { openDisk } from '../../../../../../infra/embedded/disk/open-disk.ts';
import { Journal } from '../../../../../../infra/embedded/disk/journal.ts';
import { valueText } from '../../../../../../infra/embedded/disk/disk-value.ts';
import { until } from '../../../../../support/until.ts';
import { afterCrash } from '../../../../contract/sqs/crash.ts';
import { callForOne, type EmbeddedOptions, openService } from '../../../../contract/sqs/targets.ts';

const queueSpec = { name: 'q.fifo', fifo: true, visibilityTimeout: 30 };
const opened: { close(): Promise<void> }[] = [];
let folder: string;
/** Pauses of a move, which the test ends. */
let pauses: (() => void)[];
let hasPauses: boolean;
const pause = () => (hasPauses ? new Promise<void>((resolve) => void pauses.push(resolve)) : Promise.resolve());
beforeEach(() => {
  pauses = [];
  hasPauses = true;
  folder = mkdtempSync(join(tmpdir(), 'journalled-messages-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  hasPauses = false;
  for (const end of pauses) end();
  for (const service of opened.splice(0).reverse()) await service.close();
  rmSync(folder, { recursive: true });
});

/** The receives of each undeleted message, by its body. */
type Undeleted = Record<string, number>;

const idOf = (body: string) => Buffer.from(body).toString('hex').slice(0, 64);

/** A FIFO queue in which each message has a group of its own. */
async function startQueue(options: EmbeddedOptions = {}) {
  const clock = new FakeClock();
  const service = await openService({ clock, path: join(folder, 'store'), ...options });
  opened.push(service);
  const { url } = await service.service.createQueue(queueSpec);
  const call = (operation: string, input: object) => service.call(operation, { QueueUrl: url, ...input });
  const handles = new Map<string, string>();
  const receives = new Map<string, number>();
  return {
    clock,
    call,
    directory: service.directory,
    undeleted: (): Undeleted => Object.fromEntries([...receives].sort()),
    async send(...bodies: string[]) {
      const entry = (MessageBody: string, Id: number) => ({
        Id: String(Id),
        MessageBody,
        MessageGroupId: idOf(MessageBody),
        MessageDeduplicationId: idOf(MessageBody),
      });
      for (const body of bodies) receives.set(body, 0);
      for (let at = 0; at < bodies.length; at += 10)
        expect(await call('SendMessageBatch', { Entries: bodies.slice(at, at + 10).map(entry) })).not.toHaveProperty(
          'Failed',
        );
    },
    async receive(max = 10): Promise<string[]> {
      const { Messages = [] } = await call('ReceiveMessage', { MaxNumberOfMessages: max });
      return (Messages as { Body: string; ReceiptHandle: string }[]).map(({ Body, ReceiptHandle }) => {
        handles.set(Body, ReceiptHandle);
        receives.set(Body, (receives.get(Body) ?? 0) + 1);
        return Body;
      });
    },
    async remove(...bodies: string[]) {
      for (const body of bodies) {
        receives.delete(body);
        await callForOne(call, 'DeleteMessageBatch', { ReceiptHandle: handles.get(body) });
      }
    },
    async undeletedAfterCrash(): Promise<Undeleted> {
      const { service: again, call: callAgain, close } = await afterCrash(service.directory, { clock });
      const { url: QueueUrl } = await again.createQueue(queueSpec);
      const found: Undeleted = {};
      clock.advance(30_000);
      for (;;) {
        const input = { QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] };
        const { Messages = [] } = await callAgain('ReceiveMessage', input);
        const messages = Messages as { Body: string; Attributes: Record<string, string> }[];
        if (messages.length === 0) break;
        for (const { Body, Attributes } of messages) found[Body] = Number(Attributes['ApproximateReceiveCount']) - 1;
      }
      await close();
      return Object.fromEntries(Object.entries(found).sort());
    },
  };
}

const bodiesFrom = (from: number, count: number, more = '') =>
  Array.from({ length: count }, (_, n) => `${String(from + n).padStart(4, '0')}${more}`);

const journalIn = (directory: string) =>
  join(directory, 'journal', readdirSync(join(directory, 'journal')).toSorted().at(-1) ?? '');

test('a journal that is torn at any byte has each commit whole or not at all', async () => {
  const queue = await startQueue();
  const file = journalIn(queue.directory);
  /** The end of each commit, and what the queue had then. */
  const commits: { end: number; undeleted: Undeleted; sent: number }[] = [];
  let sent = 0;
  const note = () => commits.push({ end: readFileSync(file).length, undeleted: queue.undeleted(), sent });
  note();
  for (let round = 0; round < 2; round += 1) {
    sent += 3;
    await queue.send(...bodiesFrom(10 * round, 3, 'é'));
    note();
    const [first = '', second = ''] = await queue.receive(2);
    note();
    await queue.remove(first);
    note();
    await queue.call('SendMessage', {
      MessageBody: second,
      MessageGroupId: 'g',
      MessageDeduplicationId: idOf(second),
    });
    note();
    queue.clock.advance(30_000);
  }
  const bytes = readFileSync(file);
  const torn = join(folder, 'torn');
  mkdirSync(torn);
  const newest = commits.at(-4)?.end ?? 0;
  for (let cut = newest; cut <= bytes.length; cut += 1) {
    writeFileSync(join(torn, '0000000001.journal'), bytes.subarray(0, cut));
    const found: Undeleted = {};
    let deduplicated = 0;
    const rows = Journal.replay(torn);
    for (const [key, { value }] of rows) {
      if (value === undefined) continue;
      const text = valueText(value);
      const receives = rows.get(key.replace('/m/', '/r/'))?.value;
      if (key.startsWith('q/q.fifo/m/'))
        found[text.slice(text.indexOf('\n') + 1)] = Number.parseInt(valueText(receives ?? '0'));
      if (key.startsWith('q/q.fifo/d/')) deduplicated += text.split('\n').length - 1;
    }
    const orphans = [...rows].filter(
      ([key, { value }]) => key.includes('/r/') && value !== undefined && !rows.get(key.replace('/r/', '/m/'))?.value,
    );
    expect(orphans).toEqual([]);
    const expected = commits.findLast(({ end }) => end <= cut);
    expect(JSON.stringify([found, deduplicated]), `cut at ${cut}`).toBe(
      JSON.stringify([expected?.undeleted, expected?.sent]),
    );
  }
});

test('a crash at any part of a move keeps every undeleted message and its receives', async () => {
  const queue = await startQueue({ diskOptions: { journalBytes: 100_000, pause } });
  const journals = () => readdirSync(join(queue.directory, 'journal')).length;
  // Half a journal of messages sent beside the move would make it urgent, without pauses.
  for (let from = 0; journals() === 1; from += 20) {
    await queue.send(...bodiesFrom(from, 20, 'x'.repeat(200)));
    const [deleted = ''] = await queue.receive(2);
    await queue.remove(deleted);
  }
  await until('the move pauses', () => pauses.length > 0);
  let parts = 0;
  for (; pauses.length > 0; parts += 1) {
    expect(await queue.undeletedAfterCrash()).toEqual(queue.undeleted());
    const [first = ''] = await queue.receive(3);
    await queue.remove(first);
    await queue.send(`during ${parts}`);
    pauses.shift()?.();
    await until('the move goes on or ends', () => pauses.length > 0 || journals() === 1);
  }
  expect(parts).toBeGreaterThan(1);
  expect(await queue.undeletedAfterCrash()).toEqual(queue.undeleted());
  // The end moves the rest: a deletion that only the journal knew would be forgotten.
  await opened.pop()?.close();
  expect(await queue.undeletedAfterCrash()).toEqual(queue.undeleted());
});

test('LevelDB gets the messages that are left when the journal moves, and no deleted one', async () => {
  const keys = new Set<string>();
  const { batch } = ClassicLevel.prototype;
  vi.spyOn(ClassicLevel.prototype, 'batch').mockImplementation(function (this: ClassicLevel, ...args: unknown[]) {
    for (const { key } of args[0] as { key: string }[]) keys.add(key);
    return Reflect.apply(batch, this, args) as never;
  });
  const queue = await startQueue();
  await queue.send(...bodiesFrom(0, 20));
  await queue.remove(...(await queue.receive(10)));
  await queue.receive(5);
  await opened.pop()?.close();
  const rows = [...keys].filter((key) => /^q\/q\.fifo\/[mr]\//.test(key)).toSorted();
  const expected = (kind: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => `q/q.fifo/${kind}/${String(from + n).padStart(16, '0')}`);
  expect(rows).toEqual([...expected('m', 11, 20), ...expected('r', 11, 15)]);
});

test('messages beyond the bound of a move are on the disk as those before it, and are deleted as well', async () => {
  const disk = await openDisk(join(folder, 'store'), { sync: 'interval' });
  opened.push(disk);
  const queue = new Queue({
    spec: { ...queueDefaults, name: 'queue' },
    arn: 'arn',
    disk,
    clock: new FakeClock(),
    faults: noFaults,
    bodies: new BodyBudget(),
    queueByArn: () => undefined,
  });
  const facts = { size: 4, sentAt: Date.UTC(2026, 0, 1), senderId: 'sender' };
  const putNew = vi.spyOn(disk, 'putNew');
  const messages = Array.from({ length: 4_200 }, (_, n) => queue.add({ ...facts, id: `${n}` }, 'body', 0));
  await disk.commit();
  expect(putNew).toHaveBeenCalledTimes(4_200 - 4_096);
  for (const n of [0, 4_095, 4_096, 4_199]) queue.remove(messages[n] ?? expect.fail());
  await disk.commit();
  const left = [...Journal.replay(join(folder, 'store', 'journal'))].filter(
    ([key, { value }]) => key.startsWith('q/queue/m/') && value !== undefined,
  );
  expect(left).toHaveLength(4_196);
});

test('operations that the full disk refused are written once there is room', async () => {
  const queue = await startQueue();
  await queue.send('kept', 'deleted');
  await queue.receive();
  const append = vi.spyOn(Journal.prototype, 'append').mockImplementation(() => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  await expect(queue.send('refused')).rejects.toMatchObject({ code: 'ENOSPC' });
  await expect(queue.receive()).rejects.toMatchObject({ code: 'ENOSPC' });
  await expect(queue.remove('deleted')).rejects.toMatchObject({ code: 'ENOSPC' });
  append.mockRestore();
  await queue.send('later');
  expect(await queue.undeletedAfterCrash()).toEqual({ kept: 1, refused: 1, later: 0 });
});

/**
 * A journal as the format was written down: length, CRC-32, then a kind, two lengths, a key and a value for each row.
 */
function journalOf(records: (readonly [key: string, text: string | undefined])[][]): Buffer {
  const u32 = (number: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(number);
    return bytes;
  };
  return Buffer.concat(
    records.flatMap((rows) => {
      const payload = Buffer.concat(
        rows.flatMap(([key, text]) => {
          const [keyBytes, value] = [Buffer.from(key), Buffer.from(text ?? '')];
          const kind = Buffer.of(text === undefined ? 0 : 1);
          return [kind, u32(keyBytes.length), u32(value.length), keyBytes, value];
        }),
      );
      return [u32(payload.length), u32(crc32(payload)), payload];
    }),
  );
}

test('a journal of an earlier release is replayed', async () => {
  const key = (kind: string, number: number) => `q/q.fifo/${kind}/${String(number).padStart(16, '0')}`;
  const message = (body: string) =>
    `${JSON.stringify({ id: body, size: 4, sentAt: 1_750_000_000_000, senderId: 's', group: body })}\n${body}`;
  const journal = journalOf([
    [['q/q.fifo/n', '65538']],
    [
      [key('m', 1), message('one')],
      [key('m', 2), message('two')],
    ],
    [
      [key('r', 1), '2 1750000000000 1750000030000 0'],
      [key('m', 3), message('three')],
    ],
    [[key('m', 2), undefined]],
  ]);
  const directory = join(folder, 'store', 'journal');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, '0000000001.journal'), journal);
  const clock = new FakeClock(1_750_000_040_000);
  const { service, call, close } = await openService({ clock, path: join(folder, 'store') });
  opened.push({ close });
  const { url: QueueUrl } = await service.createQueue(queueSpec);
  const input = { QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] };
  const { Messages } = await call('ReceiveMessage', input);
  expect(Messages).toMatchObject([
    { Body: 'one', Attributes: { ApproximateReceiveCount: '3' } },
    { Body: 'three', Attributes: { ApproximateReceiveCount: '1' } },
  ]);
});

test('an earlier release can replay the journal of this one', async () => {
  const queue = await startQueue();
  await queue.send('one', 'two');
  await queue.receive();
  await queue.remove('one');
  const bytes = readFileSync(journalIn(queue.directory));
  const rows = [...Journal.replay(join(queue.directory, 'journal'))];
  expect(rows.map(([key]) => key.slice(0, 11)).toSorted()).toEqual([
    'q/q.fifo/d/',
    'q/q.fifo/m/',
    'q/q.fifo/m/',
    'q/q.fifo/n',
    'q/q.fifo/r/',
    'q/q.fifo/r/',
  ]);
  // The records, encoded as the format was written down, are the bytes of the file.
  const records: (readonly [string, string | undefined])[][] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 8 + bytes.readUInt32LE(at);
    const record: (readonly [string, string | undefined])[] = [];
    for (let row = at + 8; row < end;) {
      const valueAt = row + 9 + bytes.readUInt32LE(row + 1);
      const rowEnd = valueAt + bytes.readUInt32LE(row + 5);
      const value = bytes[row] === 0 ? undefined : bytes.toString('utf8', valueAt, rowEnd);
      record.push([bytes.toString('utf8', row + 9, valueAt), value]);
      row = rowEnd;
    }
    records.push(record);
    at = end;
  }
  expect(journalOf(records).equals(bytes)).toBe(true);
});
