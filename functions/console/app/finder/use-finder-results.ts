import { skipToken, useQuery } from '@tanstack/preact-query';
import { listComponents } from '../api/component-api.ts';
import { getDeliveryById } from '../api/delivery-api.ts';
import { getEventsById } from '../api/event-api.ts';
import type { Delivery, ShownEvent } from '../api/wire.ts';
import type { Choice, ChoiceGroup } from '../choosing/found-choices.ts';
import { foundChoices } from '../choosing/found-choices.ts';
import { eventHref } from '../events/event-href.ts';
import { lineOfEvent } from '../events/line-of-event.ts';
import { type Entry, useDirectory } from '../hooks/use-directory.ts';
import { useSettled } from '../hooks/use-settled.ts';
import { SECTIONS } from './sections.ts';
import { type SoughtId, soughtId } from './sought-id.ts';

/** A page that the finder leads to. */
export interface FoundPage extends Choice {
  href: string;
}

interface FinderResults {
  groups: readonly ChoiceGroup<FoundPage>[];
  /** Matches that are not among them. */
  hidden: number;
  isReading: boolean;
  /** Whether the names of sources, webhooks and workflows are among them. */
  hasNames: boolean;
  error: unknown;
}

const TYPING_MS = 200;
/** Many sources of one name leave room for a webhook of that name. */
const SHOWN_OF_KIND = 8;

const pageOf = ({ id, name, href }: Entry): FoundPage => ({ id, name, href, about: id });

/** Everything that a text finds, by kind. */
export function useFinderResults(text: string): FinderResults {
  const directory = useDirectory();
  const settled = useSettled(text.trim(), TYPING_MS);
  const components = useQuery({
    queryKey: ['components', 'finder', settled],
    queryFn: () => listComponents({ q: settled }),
    enabled: settled !== '',
    placeholderData: (shown) => shown,
  });
  const sought = soughtId(settled);
  const byId = useQuery({
    queryKey: ['finder', sought],
    queryFn: sought ? ({ signal }) => readById(sought, signal) : skipToken,
    retry: false,
  });
  const { sources = [], webhooks = [], workflows = [] } = directory.data ?? {};
  const { groups, hidden } = foundChoices<FoundPage>(
    [
      ['Sources', sources.map(pageOf)],
      ['Webhooks', webhooks.map(pageOf)],
      ['Workflows', workflows.map(pageOf)],
      [
        'Components',
        (text.trim() === '' ? [] : (components.data?.data ?? [])).map(({ id, name, key }) => ({
          id,
          name,
          about: key ?? id,
          search: `${id} ${key ?? ''}`,
          href: `/console/components/${id}`,
        })),
      ],
      ['Pages', SECTIONS.map(([href, name]) => ({ id: href, name, href }))],
    ],
    text,
    SHOWN_OF_KIND,
  );
  const isCurrent = settled === text.trim();
  const found = isCurrent && byId.data && groupOf(byId.data, (id) => directory.data?.entryOf(id).name ?? id);
  return {
    groups: found && found[1].length > 0 ? [found, ...groups] : groups,
    hidden,
    isReading: !isCurrent || directory.isLoading || components.isLoading || byId.isLoading,
    hasNames: !directory.isLoading,
    error: directory.error ?? components.error ?? byId.error,
  };
}

type Found = { kind: 'event'; events: readonly ShownEvent[] } | { kind: 'delivery'; delivery: Delivery | undefined };

async function readById({ kind, id }: Exclude<SoughtId, undefined>, signal: AbortSignal): Promise<Found> {
  return kind === 'event'
    ? { kind, events: await getEventsById(id, signal) }
    : { kind, delivery: await getDeliveryById(id, signal) };
}

/** Events of several emitters may have one id. */
function groupOf(found: Found, nameOf: (emitterId: string) => string): ChoiceGroup<FoundPage> {
  if (found.kind === 'event')
    return ['Events', found.events.map((event) => pageOfEvent(event, nameOf(event.metadata.emitter_id)))];
  return ['Deliveries', found.delivery ? [pageOfDelivery(found.delivery)] : []];
}

function pageOfEvent(event: ShownEvent, emitter: string): FoundPage {
  const { emitter_id: emitterId, name: stream } = event.metadata;
  return {
    id: `${emitterId} ${stream}`,
    name: lineOfEvent(event, stream),
    about: `${emitter} ${stream}`.trimEnd(),
    href: eventHref({ emitterId, stream, eventId: event.id }),
  };
}

const pageOfDelivery = ({ id, webhook_id: webhookId, status }: Delivery): FoundPage => ({
  id,
  name: id,
  about: status,
  href: `/console/webhooks/${webhookId}/deliveries/${id}`,
});
