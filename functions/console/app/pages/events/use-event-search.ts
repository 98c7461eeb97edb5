import { useInfiniteQuery } from '@tanstack/preact-query';
import { listEvents } from '../../api/event-api.ts';
import { FIRST_PAGE, nextCursor } from '../../api/page-cursors.ts';
import { isRefusal } from '../../api/refused-request.ts';
import { getSource, listSources } from '../../api/source-api.ts';
import type { Page, ShownEvent, SourceItem } from '../../api/wire.ts';

/** Sources whose events are read at a click. A page of events has up to 4.5 MB. */
const SOURCES_AT_A_CLICK = 12;
/** Pages of sources without an event, which are passed over: at most 240 sources at a click. */
const MAX_EMPTY_PAGES = 20;
/** A browser has six connections to a service. */
const CONCURRENT = 4;

interface SearchedEvents {
  /** Empty: all sources. */
  source: string;
  tag: string;
  /** Empty: the default stream. */
  stream: string;
}

/** An event with its source. */
export interface SourceEvent {
  event: ShownEvent;
  source: Pick<SourceItem, 'id' | 'name'>;
}

type Searched = SourceEvent['source'] & Partial<Pick<SourceItem, 'last_event_ms'>>;

export interface SearchedPage extends Page<Searched> {
  events: SourceEvent[];
}

/** The last events of a stream of each source, whole, some sources at a time. */
export const useEventSearch = (searched: SearchedEvents) =>
  useInfiniteQuery({
    queryKey: ['searched-events', searched],
    queryFn: async ({ pageParam, signal }): Promise<SearchedPage> => {
      const page = searched.source === '' ? await somePage(searched, pageParam) : await onlyPage(searched.source);
      return { ...page, events: await eventsOf(page.data, searched.stream, signal) };
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextCursor,
    // Whole events of many sources are large.
    gcTime: 0,
    staleTime: Infinity,
  });

/** Some sources, with those before them that have no event. */
async function somePage({ tag, stream }: SearchedEvents, after: string | undefined): Promise<Page<Searched>> {
  let page = await listSources({ tag }, after, SOURCES_AT_A_CLICK);
  const data = [...page.data];
  for (let n = 0; n < MAX_EMPTY_PAGES && stream === '' && data.every(isWithoutEvent); n += 1) {
    const next = nextCursor(page, [{ ...page, data }]);
    if (next === undefined) break;
    page = await listSources({ tag }, next, SOURCES_AT_A_CLICK);
    data.push(...page.data);
  }
  return { ...page, data };
}

/** The list tells when the newest event of the default stream came. */
const isWithoutEvent = ({ last_event_ms: ms }: Searched): boolean => ms === null;

async function onlyPage(id: string): Promise<Page<Searched>> {
  const { data } = await getSource(id);
  return { data: [data], page_info: { total_count: 1, count: 1, start_cursor: null, end_cursor: null } };
}

async function eventsOf(sources: readonly Searched[], stream: string, signal: AbortSignal): Promise<SourceEvent[]> {
  const waiting = sources.filter((source) => stream !== '' || !isWithoutEvent(source));
  const found: SourceEvent[] = [];
  const reader = async (): Promise<void> => {
    for (let source = waiting.shift(); source; source = waiting.shift()) {
      const { id, name } = source;
      const events = await listEvents({ emitterId: id, stream }, { isWhole: true, signal }).catch((error: unknown) => {
        // It was deleted meanwhile.
        if (isRefusal(error)) return [];
        throw error;
      });
      found.push(...events.map((event) => ({ event, source: { id, name } })));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, reader));
  return found;
}
