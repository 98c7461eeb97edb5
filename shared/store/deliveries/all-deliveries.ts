import type { Attempt, Delivery } from '../../domain/delivery/delivery.ts';
import {
  canMatchFirstSuccess,
  type DeliveryFilter,
  matchesFilter,
  timesOf,
} from '../../domain/delivery/delivery-filter.ts';
import type { DeliveryId, WebhookId } from '../../domain/id.ts';
import { decodeCursor } from '../table/cursor.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { idsAfter, type IdRange, idsBetween, mergeDeliveries, WHOLE_RANGE } from './delivery-order.ts';
import type { Page, PageRequest } from '../table/page.ts';

export type AllDeliveries = ReturnType<typeof allDeliveries>;

/** Matching deliveries are counted up to this. */
const MAX_COUNTED = 1_000;
/** The newest deliveries of a webhook are kept, however old they are. */
const KEPT = 1_000;

interface ListRequest {
  webhookId: WebhookId;
  request: PageRequest;
  filter: DeliveryFilter;
  isOldestFirst?: boolean;
}

/** All deliveries of a webhook, newest first: those with an item of their own, and the successes of the log. */
export function allDeliveries({
  deliveries,
  log,
}: {
  deliveries: Pick<DeliveryStore, 'find' | 'read' | 'attempts'>;
  log: Pick<DeliveryLog, 'find' | 'read'>;
}) {
  function read(webhookId: WebhookId, filter: DeliveryFilter, range: IdRange): AsyncGenerator<Delivery> {
    if (!canMatchFirstSuccess(filter)) return deliveries.read(webhookId, range, { status: filter.status });
    return mergeDeliveries(deliveries.read(webhookId, range), log.read(webhookId, range), range.isUpwards);
  }

  async function matching(
    { webhookId, filter }: Pick<ListRequest, 'webhookId' | 'filter'>,
    range: IdRange,
    limit: number,
  ): Promise<Delivery[]> {
    const found: Delivery[] = [];
    if (range.from > range.to) return found;
    for await (const delivery of read(webhookId, filter, range)) {
      if (matchesFilter(delivery, filter)) found.push(delivery);
      if (found.length === limit) break;
    }
    return found;
  }

  return {
    async page({ request, isOldestFirst = false, ...list }: ListRequest): Promise<Page<Delivery>> {
      const { fromMs, toMs } = timesOf(list.filter);
      const all: IdRange = { ...idsBetween(fromMs, toMs), isUpwards: isOldestFirst };
      const range = rangeOf(list.webhookId, request, all);
      const [counted, items] = await Promise.all([
        matching(list, all, MAX_COUNTED),
        range === all ? [] : matching(list, range, request.limit),
      ]);
      const totalCount = counted.length;
      if (range === all) return { items: counted.slice(0, request.limit), totalCount };
      return { items: range.isUpwards === isOldestFirst ? items : items.reverse(), totalCount };
    },

    /** The oldest of the newest deliveries, as many as are always kept. */
    async oldestKept(webhookId: WebhookId): Promise<DeliveryId | undefined> {
      return (await matching({ webhookId, filter: {} }, WHOLE_RANGE, KEPT)).at(-1)?.id;
    },

    /**
     * The recorded attempts of a delivery; the log has the responses of few successes. An attempt is written before the
     * delivery that counts it: without that, it is repeated.
     */
    async attempts({ id, attemptCount, lastAttempt }: Delivery): Promise<Attempt[]> {
      const attempts = (await deliveries.attempts(id)).filter(({ attempt }) => attempt <= attemptCount);
      if (attempts.length > 0 || attemptCount === 0 || !lastAttempt) return attempts;
      return [{ ...lastAttempt, attempt: 1 }];
    },

    async find(webhookId: WebhookId, id: DeliveryId): Promise<Delivery | undefined> {
      return (await deliveries.find(webhookId, id)) ?? (await log.find(webhookId, id));
    },
  };
}

/** The part of the list beyond the cursor, which is excluded. */
function rangeOf(webhookId: WebhookId, { after, before }: PageRequest, all: IdRange): IdRange {
  const scope = { list: 'deliveries', ownerId: webhookId } as const;
  const cursor = after ?? before;
  if (cursor === undefined) return all;
  const id = decodeCursor(scope, cursor, after === undefined ? 'before' : 'after');
  const isUpwards = (after !== undefined) === all.isUpwards;
  if (isUpwards) {
    const above = idsAfter(id);
    return { from: above > all.from ? above : all.from, to: all.to, isUpwards };
  }
  // The greatest text below the id: ids have 27 characters.
  const below = `${id.slice(0, -1)}${previous(id.slice(-1))}~`;
  return { from: all.from, to: below < all.to ? below : all.to, isUpwards };
}

/** The character before this one, so that texts with it sort below. */
const previous = (character: string) => String.fromCharCode(character.charCodeAt(0) - 1);
