import { isOdd } from './components.ts';
import { type SeenWebhook, webhookPromises } from './webhook-promises.ts';
import { type Change, type History, isSurelyOnSince, mayBeOnSince, type Sent, type Subscribed } from './history.ts';

/** A stream as its emitter lists it. */
export interface SeenStream {
  readonly emitterId: string;
  readonly stream: string;
  /** Numbers of the events, oldest first. */
  readonly events: readonly string[];
}

/** One delivery, as its receiver saw it. */
export interface SeenDelivery {
  readonly listenerId: string;
  readonly emitterId: string;
  readonly stream: string;
  readonly n: string;
}

/** The state that the service shows after all work has ended. */
export interface Seen {
  readonly streams: readonly SeenStream[];
  readonly deliveries: readonly SeenDelivery[];
  /** Numbers that the runs of a source put into `db`, by source. */
  readonly db: ReadonlyMap<string, readonly string[]>;
  /** Emitters with a trigger that was a dead letter: it ran out of order, and perhaps twice. */
  readonly redriven: ReadonlySet<string>;
  /** Webhooks that work again after the storm. */
  readonly webhooks: readonly SeenWebhook[];
  /** Messages and schedules that are left, by name. */
  readonly leftOver: Readonly<Record<string, number>>;
}

/** A stream shows this many events. */
const KEPT_EVENTS = 100;

type Reach = 'surely' | 'perhaps' | 'never';

/** All promises that were broken, one sentence each. */
export function brokenPromises(history: History, seen: Seen): string[] {
  const listened = listenedEvents(history);
  const all = [...history.sent, ...listened];
  return [
    ...storedEvents(history, all, seen),
    ...deliveredEvents(history, all, seen),
    ...unwantedDeliveries(history, all, seen),
    ...orderedStreams(history, seen),
    ...keptDb(history, seen),
    ...loggedDeliveries(history, all, seen),
    ...Object.entries(seen.leftOver)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name}: ${count} left after all work has ended`),
  ];
}

/** The events that listening sources emit: one for each event that reaches them. */
function listenedEvents(history: History): Sent[] {
  return history.sent.flatMap((event) =>
    listenersOf(history, event)
      .filter(({ listenerId }) => listenerId.startsWith('dc_'))
      .map(({ listenerId, reach }) => ({
        ...event,
        emitterId: listenerId,
        stream: 'default',
        isAcknowledged: reach === 'surely',
      })),
  );
}

/** Every listener that the event may reach, once. */
function listenersOf(history: History, event: Sent): { listenerId: string; reach: Reach }[] {
  const reached = new Map<string, Reach>();
  for (const subscribed of history.subscriptions) {
    const reach = reachOf(history, event, subscribed);
    if (reach === 'never' || reached.get(subscribed.listenerId) === 'surely') continue;
    reached.set(subscribed.listenerId, reach);
  }
  return [...reached].map(([listenerId, reach]) => ({ listenerId, reach }));
}

function reachOf(history: History, event: Sent, { emitter, stream, listenerId, changes }: Subscribed): Reach {
  const { emitterId, startedAt } = event;
  const isMatch =
    stream === event.stream &&
    (emitter === emitterId ||
      (emitter === `${emitterId.slice(0, emitterId.indexOf('_'))}_*` && listenerId !== emitterId));
  const ends = [acceptingOf(changes, event.n), history.livesOf(listenerId)];
  if (!isMatch || !ends.every((each) => mayBeOnSince(each, startedAt))) return 'never';
  const isSure =
    event.isAcknowledged && [...ends, history.livesOf(emitterId)].every((each) => isSurelyOnSince(each, startedAt));
  return isSure ? 'surely' : 'perhaps';
}

/** The changes of a subscription as one event sees them: a filter that refuses it is no subscription. */
const acceptingOf = (changes: readonly Change[], n: string): Change[] =>
  changes.map((change) => (change.isFiltered && !isOdd(n) ? { ...change, to: 'off' } : change));

/** Every acknowledged event is stored, or trimmed because 100 newer ones are stored. */
function storedEvents(history: History, all: readonly Sent[], { streams }: Seen): string[] {
  return all
    .filter((event) => event.isAcknowledged && isSurelyOnSince(history.livesOf(event.emitterId), event.startedAt))
    .filter((event) => !history.deletions.some((deletion) => mayCover(deletion, event)))
    .filter(({ emitterId, stream, n }) => {
      const events = streams.find((each) => each.emitterId === emitterId && each.stream === stream)?.events ?? [];
      return events.length < KEPT_EVENTS && !events.includes(n);
    })
    .map(({ emitterId, stream, n }) => `the acknowledged event ${n} of ${emitterId} is not in its stream ${stream}`);
}

const mayCover = (deletion: { emitterId: string; endedAt: number }, event: Sent) =>
  deletion.emitterId === event.emitterId && event.startedAt < deletion.endedAt;

/** Every acknowledged event is delivered at least once to each webhook that was subscribed throughout. */
function deliveredEvents(history: History, all: readonly Sent[], { deliveries }: Seen): string[] {
  const delivered = new Set(deliveries.map(nameOf));
  return all.flatMap((event) =>
    listenersOf(history, event)
      .filter(({ listenerId, reach }) => reach === 'surely' && listenerId.startsWith('wh_'))
      .filter(({ listenerId }) => !delivered.has(nameOf({ ...event, listenerId })))
      .map(({ listenerId }) => `the event ${event.n} of ${event.emitterId} did not reach ${listenerId}`),
  );
}

/** A webhook gets only what it is subscribed to. */
function unwantedDeliveries(history: History, all: readonly Sent[], { deliveries }: Seen): string[] {
  const allowed = new Set(
    all.flatMap((event) => listenersOf(history, event).map(({ listenerId }) => nameOf({ ...event, listenerId }))),
  );
  return [...new Set(deliveries.map(nameOf))]
    .filter((delivery) => !allowed.has(delivery))
    .map((delivery) => `the delivery ${delivery} has no subscription`);
}

function loggedDeliveries(history: History, all: readonly Sent[], { webhooks }: Seen): string[] {
  const subscribed = new Set(
    all.flatMap((event) =>
      listenersOf(history, event)
        .filter(({ reach }) => reach === 'surely')
        .map(({ listenerId }) => nameOf({ ...event, listenerId })),
    ),
  );
  return webhooks.flatMap((webhook) =>
    webhookPromises(webhook, (request) => subscribed.has(nameOf({ ...request, listenerId: webhook.id }))),
  );
}

const nameOf = ({ listenerId, emitterId, stream, n }: SeenDelivery) =>
  JSON.stringify({ listenerId, emitterId, stream, n });

/**
 * A stream has the order in which its events were acknowledged, and each of them once. A listening source gets an event
 * at least once, as every listener, and perhaps emits it again.
 */
function orderedStreams(history: History, { streams, redriven }: Seen): string[] {
  return streams
    .filter(({ emitterId }) => !redriven.has(emitterId))
    .flatMap(({ emitterId, stream, events }) => {
      const repeated = events.filter(
        (n, index) => events.indexOf(n) !== index && history.sentAs(emitterId, n) !== undefined,
      );
      const sent = events.flatMap((n) => history.sentAs(emitterId, n) ?? []);
      const overtaken = sent.flatMap((event, index) =>
        sent
          .slice(index + 1)
          .filter((later) => later.isAcknowledged && later.endedAt < event.startedAt)
          .map((later) => `${later.n} is behind ${event.n} in the stream ${stream} of ${emitterId}`),
      );
      return [...repeated.map((n) => `the event ${n} is twice in the stream ${stream} of ${emitterId}`), ...overtaken];
    });
}

/** `db` has the change of every run, once. */
function keptDb(history: History, { db, redriven }: Seen): string[] {
  return [...db].flatMap(([sourceId, numbers]) => {
    const missing = history.sent.filter(
      ({ emitterId, isAcknowledged, n }) => emitterId === sourceId && isAcknowledged && !numbers.includes(n),
    );
    const repeated = redriven.has(sourceId) ? [] : numbers.filter((n, index) => numbers.indexOf(n) !== index);
    return [
      ...missing.map(({ n }) => `db of ${sourceId} lost the change of ${n}`),
      ...repeated.map((n) => `db of ${sourceId} has the change of ${n} twice`),
    ];
  });
}
