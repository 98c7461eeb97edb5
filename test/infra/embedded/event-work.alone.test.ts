import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countWork, type EventWork } from '../../support/event-work.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Deployed, ECHO, Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const MARK = 'the-end-of-the-text';

let scene: Scene;
let receiver: Receiver;
let source: Deployed;

beforeAll(async () => {
  scene = await Scene.open();
  receiver = await Receiver.start();
  source = await scene.source(ECHO);
  const hook = await scene.webhook(receiver);
  await scene.subscribe(source.id, hook.id);
  await workOf(1);
});
afterAll(async () => {
  await scene.close();
  await receiver.stop();
});

/** The work for one event, from its request to its acknowledged delivery. */
async function workOf(characters: number): Promise<EventWork> {
  // The summary of a large event ends before the mark.
  const body = `{"text":"${'x'.repeat(characters)}${MARK}"}`;
  const { length } = receiver.received;
  // The deletions of the event before are not a part of this one.
  await scene.cloud.cloud.services.disk.commit();
  const { work, stop } = countWork(scene.cloud.cloud, MARK);
  try {
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(source.endpoint, { method: 'POST', headers, body })).status).toBe(200);
    await until('the event is delivered and acknowledged', async () => {
      return receiver.received.length > length && (await scene.isThrough()) && !scene.isBusy();
    });
  } finally {
    stop();
  }
  expect(receiver.received[length]?.body).toContain(body);
  return work;
}

describe('an event of an HTTP request, on its way to one webhook', () => {
  let small: EventWork;
  let large: EventWork;
  beforeAll(async () => {
    small = await workOf(100);
    large = await workOf(64_000);
  });

  test('is written as JSON four times: its raw body, then its trigger, its item and its delivery', () => {
    expect([small.written, large.written]).toEqual([4, 4]);
  });

  test('is read as JSON five times at most: its body, its trigger, the line of its component, its summary, its delivery', () => {
    expect(large.read).toBe(5);
    expect(small.read).toBeLessThanOrEqual(5);
  });

  test('is in the journal three times', () => {
    expect(large.journalBytes - small.journalBytes).toBeGreaterThan(3 * 63_900);
    expect(large.journalBytes).toBeLessThan(3 * 64_000 + 8_000);
    expect(small.journalBytes).toBeLessThan(6_000);
  });

  test('is written to the disk four times: accepted, emitted, its state, delivered', async () => {
    // Deletions of messages are written with the next one of these, or with a flush to the device, every 200 ms. On a
    // busy machine an event may take that long.
    await until('an event without a flush', async () => (await workOf(100)).commits <= 4);
    await until('a large event with one flush', async () => (await workOf(64_000)).commits <= 5);
  });

  test('needs at most 15 calls of table and queues, whatever its size', async () => {
    // On a busy machine messages are deleted early, which is a further call.
    for (const characters of [100, 64_000])
      await until('an event with 15 calls', async () => (await workOf(characters)).calls <= 15);
  });
});
