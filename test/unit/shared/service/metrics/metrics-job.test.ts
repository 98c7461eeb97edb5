import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { SourceId, UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import type { MetricSubject } from '../../../../../shared/domain/metrics/tally.ts';
import { JobMessage } from '../../../../../shared/domain/run/message.ts';
import {
  createMetricsJob,
  SUBJECTS_PER_MESSAGE,
  USERS_PER_MESSAGE,
} from '../../../../../shared/service/metrics/metrics-job.ts';
import { createJobHandler } from '../../../../../shared/service/timers/handle-job.ts';
import { allUsersKey, sourceListKey, webhookListKey } from '../../../../../shared/store/table/keys.ts';
import { metricSubjects } from '../../../../../shared/store/users/metric-subjects.ts';
import { metricStore } from '../../../../../shared/store/users/metrics.ts';
import { batchWrite } from '../../../../../shared/store/table/batch-write.ts';
import { type EventTable, openEventTable } from '../../../../support/event-table.ts';

const START = Date.parse('2031-03-10T00:35:00Z');
const HOUR = 3_600_000;

let clock: FakeClock;
let opened: EventTable;
let failed: [MetricSubject, unknown][];
beforeEach(async () => {
  [clock, failed] = [new FakeClock(START), []];
  opened = await openEventTable({ clock });
});
afterEach(() => opened.close());

const padded = (n: number) => String(n).padStart(5, '0');
const user = (n: number) => UserId.parse(`u_${padded(n)}`);
const source = (n: number) => SourceId.parse(`dc_${padded(n)}`);
const webhook = (n: number) => WebhookId.parse(`wh_${padded(n)}`);
const numbers = (length: number) => Array.from({ length }, (_, n) => n);
const store = (items: readonly object[]) =>
  batchWrite(
    opened.table,
    items.map((Item) => ({ PutRequest: { Item: { ...Item } } })),
  );

const job = (metrics = metricStore(opened.table)) =>
  createMetricsJob({
    metrics,
    subjects: metricSubjects(opened.table),
    onFailed: (...args) => void failed.push(args),
    now: () => clock.now(),
  });

/** Handles a message and those that follow from it. */
async function handled(first: JobMessage, metricsJob = job()) {
  const messages = [{ message: first, delaySeconds: 0 }];
  const forward = createJobHandler({
    sendTicks: () => Promise.resolve(),
    sendJobs: async (sent) => void messages.push(...sent),
    oauthFunction: {
      drop: () => Promise.reject(new Error('not here')),
      renewIdle: () => Promise.resolve({ state: 'done' }),
    },
    metricsJob,
    now: () => clock.now(),
  });
  for (const { message } of messages) await forward(JobMessage.parse(JSON.parse(JSON.stringify(message))));
  return messages;
}

const eventsOf = async (subject: MetricSubject) => {
  const day = Date.parse('2031-03-09T00:00:00Z');
  const buckets = await metricStore(opened.table).read(subject, {
    granularity: 'day',
    first: day,
    last: day,
  });
  return buckets.get(day)?.tally.get('e');
};
const count = (subject: MetricSubject, events: number) =>
  metricStore(opened.table).add(subject, START - HOUR, new Map([['e', events]]));

describe('the job', () => {
  test('adds up sources and webhooks of all users, a page per message and a user a second', async () => {
    const users = USERS_PER_MESSAGE + 2;
    const sources = SUBJECTS_PER_MESSAGE + 1;
    await store([
      ...numbers(users).map((n) => allUsersKey(user(n))),
      ...numbers(sources).map((n) => sourceListKey(user(0), source(n))),
      webhookListKey(user(0), webhook(0)),
      webhookListKey(user(users - 1), webhook(1)),
    ]);
    const subjects = [source(0), source(sources - 1), webhook(0), webhook(1)];
    for (const [n, subject] of subjects.entries()) await count(subject, n + 1);
    const messages = await handled({ kind: 'metrics' });
    expect(await Promise.all(subjects.map(eventsOf))).toEqual([1, 2, 3, 4]);
    expect(failed).toEqual([]);
    const ofUsers = messages.filter(({ message }) => message.kind === 'metrics');
    expect(ofUsers.map(({ delaySeconds }) => delaySeconds)).toEqual([0, USERS_PER_MESSAGE]);
    const first = messages.flatMap(({ message, delaySeconds }) =>
      message.kind === 'metrics-of-user' && message.after === undefined ? [delaySeconds] : [],
    );
    expect(first).toEqual([...numbers(USERS_PER_MESSAGE), 0, 1]);
    expect(messages).toHaveLength(2 + users + 1);
  });

  test('of a user has one message in the queue, with at most a page of sources', async () => {
    await store(numbers(250).map((n) => sourceListKey(user(0), source(n))));
    let message: JobMessage | undefined = { kind: 'metrics-of-user', ownerId: user(0), list: 'sources' };
    const pages: number[] = [];
    while (message?.kind === 'metrics-of-user') {
      let read = 0;
      const metrics = metricStore(opened.table);
      const counting = {
        ...metrics,
        read: (...args: Parameters<typeof metrics.read>) => metrics.read(((read += 1), args[0]), args[1]),
      };
      const next = await job(counting).ofUser(message);
      expect(next.length).toBeLessThanOrEqual(1);
      pages.push(read / 4);
      message = next[0]?.message;
    }
    expect(pages).toEqual([SUBJECTS_PER_MESSAGE, SUBJECTS_PER_MESSAGE, 50]);
  });

  test('goes on after a source that fails, and the next job adds it up', async () => {
    await store([allUsersKey(user(0)), ...numbers(3).map((n) => sourceListKey(user(0), source(n)))]);
    for (const n of numbers(3)) await count(source(n), 5);
    const metrics = metricStore(opened.table);
    const error = new Error('no table');
    await handled(
      { kind: 'metrics' },
      job({
        ...metrics,
        putSum: (subject, ...args) =>
          subject === source(1) ? Promise.reject(error) : metrics.putSum(subject, ...args),
      }),
    );
    expect(await Promise.all(numbers(3).map((n) => eventsOf(source(n))))).toEqual([5, undefined, 5]);
    expect(failed).toEqual([[source(1), error]]);
    clock.advance(HOUR);
    await handled({ kind: 'metrics' });
    expect(await eventsOf(source(1))).toBe(5);
  });

  test('of no user, or of a user that was deleted meanwhile, ends', async () => {
    expect(await handled({ kind: 'metrics' })).toHaveLength(1);
    expect(await handled({ kind: 'metrics-of-user', ownerId: user(9), list: 'sources' })).toHaveLength(1);
  });
});
