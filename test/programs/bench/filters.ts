import { EventId } from '../../../shared/domain/event/event-id.ts';
import { createMatchers, EventFilter } from '../../../shared/domain/event/event-pattern/event-filter.ts';
import { type ListenerId, SourceId, UserId, WebhookId } from '../../../shared/domain/id.ts';
import { WorkSteps } from '../../../shared/lib/reading/work-steps.ts';
import type { DeliveryMessage } from '../../../shared/domain/run/message.ts';
import { acceptance } from '../../../shared/service/fan-out/matched-events.ts';

/** Measures the CPU time per event that the filters of one emitter's subscriptions take. */

export const SUBSCRIPTIONS = 1_000;
const EVENTS = 300;
/** The least of them counts: others use this machine too, and the first ones compile. */
const ROUNDS = 5;

/** Filters of every operator; the text of each is different. */
function filterOf(n: number): object {
  const kinds = [
    { type: [`order.${n}`, 'order.paid'] },
    { customer: { country: [{ 'anything-but': [`c${n}`, 'de'] }] } },
    { amount: [{ numeric: ['>', n, '<=', n + 500] }], type: [{ prefix: 'order.' }] },
    { path: [{ wildcard: `/files/*/${n}/*.png` }] },
    { items: { sku: [`sku-${n}`], count: [{ numeric: ['>=', 2] }] } },
    { ip: [{ cidr: `10.${n % 256}.0.0/16` }], n: [n] },
    { $or: [{ note: [{ 'equals-ignore-case': `NOTE ${n}` }] }, { customer: { vip: [true], id: [n] } }] },
    { missing: [{ exists: false }], n: [n], type: [{ suffix: `.${n}` }] },
  ];
  return kinds[n % kinds.length] ?? {};
}

/** About 1 KB of JSON. */
const eventOf = (n: number) => ({
  type: 'order.paid',
  amount: n,
  customer: { id: n, country: 'fr', vip: n % 2 === 0 },
  path: `/files/${n}/17/picture.png`,
  ip: `10.${n % 256}.1.2`,
  note: 'note 7',
  items: Array.from({ length: 10 }, (_, at) => ({ sku: `sku-${at}`, count: at, text: 'x'.repeat(60) })),
});

const messageOf = (n: number): DeliveryMessage => ({
  emitterId: SourceId.parse('dc_benchmark'),
  ownerId: UserId.parse('u_benchmark'),
  stream: 'default',
  eventId: EventId.parse(`${n}-0`),
  emitId: `emit-${n}`,
  payload: { json: JSON.stringify(eventOf(n)) },
  hops: 0,
});

/** Milliseconds of CPU per call, in the best round. */
async function cpuMsOf(calls: number, work: () => void | Promise<void>): Promise<number> {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1_000 / calls);
  }
  return Math.min(...rounds);
}

/** Milliseconds of CPU that reading the JSON of an event takes. */
export function readingCpuMs(): Promise<number> {
  const text = JSON.stringify(eventOf(1));
  const calls = 10_000;
  return cpuMsOf(calls, () => {
    for (let call = 0; call < calls; call += 1) JSON.parse(text);
  });
}

/** Milliseconds of CPU per event, for events of one emitter in batches of this size. */
export async function filterCpuMs(batch: number): Promise<number> {
  const filters = new Map<ListenerId, readonly EventFilter[]>(
    Array.from({ length: SUBSCRIPTIONS }, (_, n) => [
      WebhookId.parse(`wh_${n}`),
      [EventFilter.parse(JSON.stringify(filterOf(n)))],
    ]),
  );
  const services = {
    bucket: { getText: async () => undefined },
    matcherOf: createMatchers(),
    workSteps: new WorkSteps(),
  };
  const messages = Array.from({ length: EVENTS }, (_, n) => messageOf(n));
  return cpuMsOf(EVENTS, async () => {
    for (let at = 0; at < EVENTS; at += batch) {
      await acceptance(services, messages.slice(at, at + batch), filters);
    }
  });
}

export async function filters(): Promise<Record<string, unknown>[]> {
  const rows = [];
  for (const batch of [1, 10]) {
    const cpuMs = Math.round((await filterCpuMs(batch)) * 1_000) / 1_000;
    rows.push({
      subscriptions: SUBSCRIPTIONS,
      eventsPerBatch: batch,
      promise: '≤ 2 ms',
      cpuMsPerEvent: cpuMs,
    });
  }
  return rows;
}
