/** One request, as the receiver of a webhook saw and answered it. */
interface SeenRequest {
  /** Emit id and event id. A trigger that runs twice may give an event another id. */
  readonly event: string;
  readonly emitterId: string;
  readonly stream: string;
  readonly n: string;
  readonly status: number;
  /** Whether a secret of the webhook signed it. Undefined when the response of a rotation was lost. */
  readonly isSigned: boolean | undefined;
  /** Whether it came after the storm: nothing failed between the attempt and its record. */
  readonly isCalm: boolean;
}

export interface ListedDelivery {
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  /** Attempts with a response. */
  readonly answered: number;
}

/**
 * A webhook that is active and answers 200, after everything that was held or failed was recovered: what it shows and
 * what it received.
 */
export interface SeenWebhook {
  readonly id: string;
  readonly heldCount: number;
  readonly failingSince: number | null;
  readonly lastOutcome: string | null;
  /** Its whole log. */
  readonly deliveries: readonly ListedDelivery[];
  /** Acknowledged redeliveries, with the attempts before them. */
  readonly redelivered: readonly Pick<ListedDelivery, 'event' | 'attempts'>[];
  /** In the order of their arrival. */
  readonly requests: readonly SeenRequest[];
  /** Counts at a time when nothing was under way, and after which nothing failed. */
  readonly before?: CountedBefore | undefined;
}

export interface CountedBefore {
  /** Requests until then. */
  readonly requests: number;
  /** Answered attempts in the log, by event. */
  readonly attempts: ReadonlyMap<string, number>;
}

/**
 * Log and health agree with what the receiver saw; one sentence for each promise that broke. During the storm the
 * function may die between an attempt and its record. The attempt is then repeated, unless the webhook is no longer
 * subscribed.
 */
export function webhookPromises(
  webhook: SeenWebhook,
  isSubscribedThroughout: (request: SeenRequest) => boolean,
): string[] {
  const { id, deliveries, redelivered, requests } = webhook;
  const accepted = new Map(requests.flatMap((each) => (each.status === 200 ? [[each.event, each] as const] : [])));
  const received = new Map([...requests].reverse().map((each) => [each.event, each] as const));
  const listed = new Set(deliveries.map(({ event }) => event));
  const isRecorded = (request: SeenRequest) => request.isCalm || isSubscribedThroughout(request);
  return [
    ...deliveries
      .filter(({ status }) => status !== 'delivered')
      .map(({ event, status }) => `the log of ${id} shows ${event} as ${status} after all work has ended`),
    ...deliveries
      .filter(({ event, status }) => status === 'delivered' && !accepted.has(event))
      .map(({ event }) => `the log of ${id} shows ${event} as delivered, but ${id} did not accept it`),
    ...[...received.values()]
      .filter((request) => !listed.has(request.event))
      .filter(isRecorded)
      .map(({ event }) => `${id} received ${event}, which its log does not show`),
    ...deliveries.flatMap((delivery) => attemptPromises(webhook, delivery)),
    ...redelivered
      .filter((before) => deliveries.some((now) => now.event === before.event && now.attempts <= before.attempts))
      .map(({ event, attempts }) => `${id} has no attempt ${attempts + 1} of ${event}, which a redelivery promised`),
    ...requests
      .filter(({ isSigned }) => isSigned === false)
      .map(({ event }) => `${id} received ${event} without a signature of its secrets`),
    ...healthPromises(webhook, isRecorded),
  ];
}

/** The log counts no attempt that was not made, and every attempt while nothing fails. */
function attemptPromises({ id, requests, before }: SeenWebhook, { event, answered }: ListedDelivery): string[] {
  const countOf = (some: typeof requests) => some.filter((request) => request.event === event).length;
  const received = countOf(requests);
  if (answered > received)
    return [`the log of ${id} counts ${answered} attempts of ${event}, but ${id} received ${received}`];
  if (!before) return [];
  const counted = answered - (before.attempts.get(event) ?? 0);
  const calm = countOf(requests.slice(before.requests));
  return counted === calm
    ? []
    : [`after the storm, the log of ${id} counts ${counted} attempts of ${event}, but ${id} received ${calm}`];
}

function healthPromises(
  { id, heldCount, failingSince, lastOutcome, requests }: SeenWebhook,
  isRecorded: (request: SeenRequest) => boolean,
): string[] {
  // Those after the last attempt that is surely recorded may be in no record.
  const possible = requests.slice(Math.max(requests.findLastIndex(isRecorded), 0));
  const expected = possible.map(({ status }) => (status === 200 ? 'delivered' : 'rejected'));
  const isNone = lastOutcome === null && !requests.some(isRecorded);
  return [
    ...(heldCount === 0 ? [] : [`${id} holds ${heldCount} deliveries after they were recovered`]),
    ...(failingSince === null || requests.at(-1)?.status !== 200 ? [] : [`${id} works and is shown as failing`]),
    ...(isNone || expected.some((outcome) => outcome === lastOutcome)
      ? []
      : [`the last attempt of ${id} is shown as ${lastOutcome}, not ${expected.join(' or ')}`]),
  ];
}
