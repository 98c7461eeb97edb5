import { OPENED_EVENT } from '../hooks/use-address-filter.ts';
import { hrefOf } from '../hooks/use-directory.ts';

interface EventAddress {
  emitterId: string;
  /** Empty: the default stream. */
  stream: string;
  eventId: string;
}

/** The address at which an event of a list is open. */
export function eventHref({ emitterId, stream, eventId }: EventAddress): string {
  const query = new URLSearchParams({ ...(stream === '' ? {} : { stream }), [OPENED_EVENT]: eventId });
  return `${hrefOf(emitterId)}?${query.toString()}`;
}
