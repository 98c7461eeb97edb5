import { skipToken, useQuery } from '@tanstack/preact-query';
import { useAllows } from '../api/rights.tsx';
import { listAccounts } from '../api/account-api.ts';
import { listComponents } from '../api/component-api.ts';
import { getDeliveryById } from '../api/delivery-api.ts';
import { getEventsById } from '../api/event-api.ts';
import type { Account, ComponentItem, Delivery, ShownEvent } from '../api/wire.ts';
import type { Choice, ChoiceGroup } from '../choosing/found-choices.ts';
import { foundChoices } from '../choosing/found-choices.ts';
import { eventHref } from '../events/event-href.ts';
import { lineOfEvent } from '../events/line-of-event.ts';
import { type Entry, useDirectory } from '../hooks/use-directory.ts';
import { recentPages } from '../hooks/recent-pages.ts';
import { useSettled } from '../hooks/use-settled.ts';
import { SENDING } from '../hooks/use-address-filter.ts';
import { STATE_TONES } from '../pages/sources/source-state.tsx';
import { healthOf } from '../pages/webhooks/webhook-health.tsx';
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

const pageOf = ({ id, name, href, item }: Entry): FoundPage => ({
  id,
  name,
  href,
  about: id,
  ...(item && { health: healthOfItem(item) }),
});

const healthOfItem = (item: Exclude<Entry['item'], undefined>): Exclude<FoundPage['health'], undefined> =>
  'source' in item ? [STATE_TONES[item.source.state], item.source.state] : healthOf(item.webhook);

const pageOfComponent = ({ id, name, key }: ComponentItem): FoundPage => ({
  id,
  name,
  about: key ?? id,
  search: `${id} ${key ?? ''}`,
  href: `/console/components/${id}`,
});

const pageOfAccount = ({ id, name, app, status }: Account): FoundPage => ({
  id,
  name,
  about: app,
  search: `${id} ${app}`,
  href: `/console/accounts?q=${id}`,
  health: [status === 'connected' ? 'ok' : 'bad', status],
});

const action = (name: string, href: string): FoundPage => ({ id: name, name, href });
const ACTIONS: readonly FoundPage[] = [
  action('New source', '/console/sources/new'),
  action('New webhook', '/console/webhooks/new'),
  action('New subscription', '/console/subscriptions?emitter='),
];
/** A text that looks for the requests to sources. */
const IS_SENDING = /^(?:send|request)\b/i;

/** The dialog of a request of each source. */
const requestTo = ({ id, name, href, item }: Entry): FoundPage[] =>
  item && 'source' in item && item.source.endpoint_url !== null
    ? [{ id: `${SENDING} ${id}`, name: `Send a request to ${name}`, href: `${href}?${SENDING}=1`, search: id }]
    : [];

const SECTION_PAGES: readonly FoundPage[] = SECTIONS.map(([href, name, key]) => ({
  id: href,
  name,
  href,
  about: `g ${key}`,
  search: `go to ${href}`,
}));

/** Shown before anything is typed, without the page itself. */
const recents = (): FoundPage[] =>
  recentPages()
    .filter(({ path }) => path !== location.pathname)
    .map(({ path, title }) => ({ id: `recent ${path}`, name: title, href: path }));

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
  const accounts = useQuery({
    queryKey: ['accounts', 'finder', settled],
    queryFn: () => listAccounts({ q: settled }),
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
  const isTyped = text.trim() !== '';
  const actions = useAllows('manage') ? ACTIONS : [];
  const targets = useAllows('send') ? sources : [];
  const { groups, hidden } = foundChoices<FoundPage>(
    [
      ['Recent', isTyped ? [] : recents()],
      ['Actions', isTyped ? [] : actions],
      ['Sources', sources.map(pageOf)],
      ['Webhooks', webhooks.map(pageOf)],
      ['Workflows', workflows.map(pageOf)],
      ['Components', isTyped ? (components.data?.data ?? []).map(pageOfComponent) : []],
      ['Accounts', isTyped ? (accounts.data?.data ?? []).map(pageOfAccount) : []],
      ['Actions', isTyped ? [...actions, ...(IS_SENDING.test(text.trim()) ? targets.flatMap(requestTo) : [])] : []],
      ['Go to', SECTION_PAGES],
    ],
    text,
    SHOWN_OF_KIND,
  );
  const isCurrent = settled === text.trim();
  const found = isCurrent && byId.data && groupOf(byId.data, (id) => directory.data?.entryOf(id).name ?? id);
  return {
    groups: found && found[1].length > 0 ? [found, ...groups] : groups,
    hidden,
    isReading: !isCurrent || directory.isLoading || components.isLoading || accounts.isLoading || byId.isLoading,
    hasNames: !directory.isLoading,
    error: directory.error ?? components.error ?? accounts.error ?? byId.error,
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
