import { cut } from '../../../../../../shared/lib/cut.ts';
import type { ShownDelivery } from '../../../api/delivery-api.ts';
import { fewWords, firstValue } from '../../../events/first-scalars.ts';
import { streamName } from '../../../events/stream-name.ts';

const MAX_CHARACTERS = 60;
/** Values that name an event: mostly its type and an id. */
const NAMING = 2;

/** `order.created 4 → crm`: the stream unless it is the default one, what names the event, the webhook. */
export function deliveryTitle({ event_name: stream, json }: ShownDelivery, webhook: string): string {
  return `${cut(eventText(stream, json) || streamName(stream), MAX_CHARACTERS)} → ${cut(webhook, MAX_CHARACTERS)}`;
}

function eventText(stream: string, json: string | undefined): string {
  if (json === undefined || stream === '$test') return '';
  return stream === '' ? fewWords(json, NAMING) : `${stream} ${firstValue(json)}`.trim();
}
