import { useQuery } from '@tanstack/preact-query';
import { listComponents } from '../api/component-api.ts';
import type { Choice, ChoiceGroup } from '../choosing/found-choices.ts';
import { foundChoices } from '../choosing/found-choices.ts';
import { eventHref } from '../events/event-href.ts';
import { lineOfEvent } from '../events/line-of-event.ts';
import { type Entry, useDirectory } from '../hooks/use-directory.ts';
import { useSettled } from '../hooks/use-settled.ts';
import { findDelivery } from './find-delivery.ts';
import { findEvent } from './find-event.ts';
import { SECTIONS } from './sections.ts';
import { soughtId } from './sought-id.ts';

/** A page that the finder leads to. */
export interface FoundPage extends Choice {
  href: string;
}

interface FinderResults {
  groups: readonly ChoiceGroup<FoundPage>[];
  /** Matches that are not among them. */
  hidden: number;
  isReading: boolean;
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
    queryFn: ({ signal }) => readPage(sought, signal),
    enabled: sought !== undefined,
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
  const found = sought && isCurrent ? byId.data : undefined;
  return {
    groups: found ? [[sought?.kind === 'event' ? 'Events' : 'Deliveries', [found]], ...groups] : groups,
    hidden,
    isReading: !isCurrent || directory.isLoading || components.isLoading || byId.isLoading,
    error: directory.error ?? components.error ?? byId.error,
  };
}

/** The page of an id; null when nothing has it. */
async function readPage(sought: ReturnType<typeof soughtId>, signal: AbortSignal): Promise<FoundPage | null> {
  if (sought?.kind === 'event') {
    const found = await findEvent(sought.id, signal);
    if (!found) return null;
    const { event, stream } = found;
    const href = eventHref({
      emitterId: stream.emitterId,
      stream: stream.stream ?? '',
      eventId: event.id,
    });
    return { id: event.id, name: lineOfEvent(event, stream.stream), about: event.id, href };
  }
  const delivery = sought && (await findDelivery(sought.id, signal));
  if (!delivery) return null;
  const { id, webhook_id: webhookId, status } = delivery;
  return { id, name: id, about: status, href: `/console/webhooks/${webhookId}/deliveries/${id}` };
}
