import { Pool } from 'undici';
import { Receiver } from './receiver.ts';
import type { CloudOptions } from '../../infra/embedded/cloud.ts';
import { until } from './until.ts';

/** Starts a cloud with these counters. */
export type StartCounting = (
  counters: Pick<CloudOptions, 'onConsumed' | 'onQueueRequest'>,
) => Promise<{ origin: string; key: string; stop(): Promise<void> }>;

export interface CountedSetting {
  webhooks: number;
  events: number;
  /** `full`: all events are sent concurrently, so batches fill; `one`: each event waits for the event before. */
  batches: 'full' | 'one';
  /** Bytes of text in each event. */
  text?: number;
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
  /** Events that one invocation of run-source took, on average; deliver-event's are as many. */
  perBatch: number;
}

const component = (dedupe: boolean) => `export default {
  name: 'Counted', version: '0.0.1', props: { http: '$.interface.http' }, ${dedupe ? "dedupe: 'unique'," : ''}
  run(event) { this.$emit(event.body, { id: String(event.body.n) }); },
};`;

/** Sends events through the whole stack and counts what AWS would bill for, with the stream full from the start. */
export async function counted(
  start: StartCounting,
  { webhooks, events, batches, text = 100, dedupe = false }: CountedSetting,
): Promise<Counted> {
  let counting = false;
  const units = { read: new Map<string, number>(), write: new Map<string, number>() };
  const requests = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, by: number) => to.set(key, (to.get(key) ?? 0) + by);
  const receiver = await Receiver.start();
  const cloud = await start({
    onConsumed(_table, operation, { read, write }) {
      if (!counting) return;
      if (read) add(units.read, operation, read);
      if (write) add(units.write, operation, write);
    },
    onQueueRequest(queueName, operation, entries) {
      if (!counting || (operation === 'ReceiveMessage' && entries === 0)) return;
      // One instance of the ingress takes one request at a time on AWS, so there nothing is sent together.
      const alone = operation === 'SendMessageBatch' && queueName.endsWith('.fifo');
      add(requests, `${queueName} ${operation}`, alone ? entries : 1);
    },
  });
  const pool = new Pool(cloud.origin, { connections: 128 });
  try {
    const api = async (path: string, body?: unknown) => {
      const answer = await pool.request({
        method: 'POST',
        path: `/v1${path}`,
        headers: {
          authorization: `Bearer ${cloud.key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const { data } = (await answer.body.json()) as {
        data: { id: string; configured_props: { http: { endpoint_url: string } } };
      };
      return data;
    };
    const source = await api('/sources', { component_code: component(dedupe) });
    const { pathname } = new URL(source.configured_props.http.endpoint_url);
    for (let n = 0; n < webhooks; n += 1) {
      const { id } = await api(`/webhooks?url=${encodeURIComponent(`${receiver.url}/${n}`)}`);
      await api(`/subscriptions?emitter_id=${source.id}&listener_id=${id}`);
    }
    let sent = 0;
    const send = async () => {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: pathname,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ n: (sent += 1), text: 'x'.repeat(text) }),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`The endpoint answered ${statusCode}`);
    };
    const delivered = () =>
      until('everything is delivered', () => receiver.received.length >= sent * webhooks);
    await Promise.all(Array.from({ length: 300 }, send));
    await delivered();
    counting = true;
    if (batches === 'full') await Promise.all(Array.from({ length: events }, send));
    else
      for (let n = 0; n < events; n += 1) {
        await send();
        await delivered();
      }
    await delivered();
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
      perBatch: 1 / sum(requests, /\.fifo Receive/),
    };
  } finally {
    await pool.destroy();
    await cloud.stop();
    await receiver.stop();
  }
}
