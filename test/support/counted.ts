import { Pool } from 'undici';
import * as z from 'zod';
import { Receiver } from './receiver.ts';
import type { Cloud, CloudOptions } from '../../infra/embedded/cloud.ts';
import { randomFaults } from '../../infra/embedded/faults.ts';
import { countWork, type EventWork, onCalls, perEventOf } from './event-work.ts';
import { KEPT_EVENTS, SLACK } from '../../shared/domain/event/trimming.ts';
import { MARK, type SampleBody, sampleBody } from './sample-bodies.ts';
import { until } from './until.ts';

/** Starts a cloud with these counters. */
export type StartCounting = (
  counters: Pick<CloudOptions, 'onConsumed' | 'onQueueRequest' | 'clock' | 'faults'>,
) => Promise<{ origin: string; ingress: string; key: string; cloud: Cloud; stop(): Promise<void> }>;

export interface CountedSetting {
  webhooks: number;
  events: number;
  /** `full`: all events are sent concurrently, so batches fill; `one`: each event waits for the event before. */
  batches: 'full' | 'one';
  body: SampleBody;
  dedupe?: boolean;
}

export interface Counted {
  /** Per event. */
  writeUnits: number;
  readUnits: number;
  readUnitsByOperation: Record<string, number>;
  writeUnitsByOperation: Record<string, number>;
  sqsRequests: number;
  sqsFifoRequests: number;
  requestsByQueue: Record<string, number>;
  /** Requests of functions to S3. */
  objectPuts: number;
  objectGets: number;
  /** Writes of permits for long runs. */
  permits: number;
  /** Events that one invocation of run-source took, on average; deliver-event's are as many. */
  perBatch: number;
  /** Per event, of the embedded cloud. */
  work: EventWork;
}

const component = (dedupe: boolean) => `export default {
  name: 'Counted', version: '0.0.1', props: { http: '$.interface.http' }, ${dedupe ? "dedupe: 'unique'," : ''}
  run(event) { this.$emit(event.body, { id: String(event.body.n) }); },
};`;

/** SQS bills each 64 KB of a request: https://aws.amazon.com/sqs/pricing/ */
const piecesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / 65_536));

/** On a busy machine deliveries wait until they are stored one by one, and a run that took long needs a permit. */
const COUNTS = 10;
const hasWaiting = ({ requestsByQueue }: Counted) =>
  Object.keys(requestsByQueue).some((request) => request.startsWith('Retries'));

/**
 * Sends events through the whole stack and counts what AWS would bill for, with the stream full from the start. Counts
 * again if deliveries or runs had to wait for the processor.
 */
export async function counted(start: StartCounting, setting: CountedSetting): Promise<Counted> {
  let counts = await countOnce(start, setting);
  const isBusy = () => hasWaiting(counts) || counts.permits > 0;
  for (let again = 1; again < COUNTS && isBusy(); again += 1) counts = await countOnce(start, setting);
  return counts;
}

async function countOnce(
  start: StartCounting,
  { webhooks, events, batches, body, dedupe = false }: CountedSetting,
): Promise<Counted> {
  let counting = false;
  const units = { read: new Map<string, number>(), write: new Map<string, number>() };
  const requests = new Map<string, number>();
  const objects = new Map<string, number>();
  let receives = 0;
  const add = (to: Map<string, number>, key: string, by: number) => to.set(key, (to.get(key) ?? 0) + by);
  const receiver = await Receiver.start();
  const makeBody = sampleBody(body);
  let stopCounting = (): void => undefined;
  const cloud = await start({
    // Fault injection, here without faults, keeps batches as small as on AWS.
    faults: randomFaults(1, {}),
    onConsumed(_table, operation, { read, write }) {
      if (!counting) return;
      if (read) add(units.read, operation, read);
      if (write) add(units.write, operation, write);
    },
    onQueueRequest(queueName, operation, entries, bytes) {
      if (!counting || (operation === 'ReceiveMessage' && entries === 0)) return;
      // One instance of the ingress takes one request at a time on AWS, so there nothing is sent together.
      const alone = operation === 'SendMessageBatch' && queueName.endsWith('.fifo');
      if (queueName.endsWith('.fifo') && operation === 'ReceiveMessage') receives += 1;
      const sent = alone ? entries : 1;
      add(requests, `${queueName} ${operation}`, sent * piecesOf(bytes / sent));
    },
  });
  const apiPool = new Pool(cloud.origin, { connections: 128 });
  const ingressPool = new Pool(cloud.ingress, { connections: 128 });
  try {
    const api = async (path: string, body?: unknown) => {
      const response = await apiPool.request({
        method: 'POST',
        path: `/v1${path}`,
        headers: {
          authorization: `Bearer ${cloud.key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const { data } = (await response.body.json()) as {
        data: { id: string; configured_props: { http: { endpoint_url: string } } };
      };
      return data;
    };
    const source = await api('/sources', { component_code: component(dedupe) });
    const { pathname } = new URL(source.configured_props.http.endpoint_url);
    let sent = 0;
    const send = async () => {
      const body = makeBody((sent += 1));
      await until('the endpoint accepts an event', async () => {
        const { statusCode, body: response } = await ingressPool.request({
          method: 'POST',
          path: pathname,
          headers: { 'content-type': 'application/json' },
          body,
        });
        const text = await response.text();
        // On a busy machine a source may lag after the events that fill its stream.
        if (statusCode === 429 && !counting) return false;
        if (statusCode !== 200) throw new Error(`The endpoint answered ${statusCode}: ${text}`);
        return true;
      });
    };
    await Promise.all(Array.from({ length: KEPT_EVENTS }, send));
    await until('the stream is full', async () => {
      const response = await apiPool.request({
        method: 'GET',
        path: `/v1/sources/${source.id}/event_summaries?limit=${KEPT_EVENTS}`,
        headers: { authorization: `Bearer ${cloud.key}` },
      });
      const { data } = (await response.body.json()) as { data: unknown[] };
      return data.length === KEPT_EVENTS;
    });
    for (let n = 0; n < webhooks; n += 1) {
      const { id } = await api(`/webhooks?url=${encodeURIComponent(`${receiver.url}/${n}`)}`);
      await api(`/subscriptions?emitter_id=${source.id}&listener_id=${id}`);
    }
    const delivered = () =>
      until('everything is delivered', () => receiver.received.length >= (sent - KEPT_EVENTS) * webhooks);
    /** After the last delivery of a batch its log is written. */
    const settled = () =>
      until('no function is at work', () => [...cloud.cloud.functions.values()].every(({ running }) => running === 0));
    const sendOneByOne = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await send();
        await delivered();
      }
    };
    // Trimming then removes events that came as those that are counted.
    if (batches === 'full') await Promise.all(Array.from({ length: 10 }, send));
    else await sendOneByOne(KEPT_EVENTS + SLACK);
    await delivered();
    await settled();
    counting = true;
    const { work, stop } = countWork(cloud.cloud, MARK);
    const stopObjects = onCalls(cloud.cloud.services.s3, (operation) => {
      add(objects, operation, 1);
    });
    let permits = 0;
    const stopPermits = onCalls(cloud.cloud.services.dynamodb, (_operation, { Key }) => {
      if (z.object({ sk: z.literal('RUNS') }).safeParse(Key).success) permits += 1;
    });
    stopCounting = () => {
      stopPermits();
      stopObjects();
      stop();
    };
    if (batches === 'full') await Promise.all(Array.from({ length: events }, send));
    else await sendOneByOne(events);
    await delivered();
    await settled();
    const sum = (map: Map<string, number>, pattern = /./) =>
      [...map].reduce((total, [key, value]) => total + (pattern.test(key) ? value : 0), 0) / events;
    const perEvent = (map: Map<string, number>) =>
      Object.fromEntries([...map].map(([key, value]) => [key, Math.round((value / events) * 1000) / 1000]));
    return {
      writeUnits: sum(units.write),
      readUnits: sum(units.read),
      readUnitsByOperation: perEvent(units.read),
      writeUnitsByOperation: perEvent(units.write),
      sqsRequests: sum(requests),
      sqsFifoRequests: sum(requests, /\.fifo /),
      requestsByQueue: perEvent(requests),
      objectPuts: sum(objects, /^Put/),
      objectGets: sum(objects, /^Get/),
      permits,
      perBatch: events / receives,
      work: perEventOf(work, events),
    };
  } finally {
    stopCounting();
    await Promise.all([apiPool.destroy(), ingressPool.destroy()]);
    await cloud.stop();
    await receiver.stop();
  }
}
