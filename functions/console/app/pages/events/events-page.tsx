import { useMemo, useState } from 'preact/hooks';
import { Allowed } from '../../api/rights.tsx';
import { eventMs } from '../../api/event-position.ts';
import { hasNone } from '../../api/page-cursors.ts';
import { Combobox } from '../../choosing/combobox.tsx';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { Ago } from '../../components/times/ago.tsx';
import { eventHref } from '../../events/event-href.ts';
import { EventLine } from '../../events/event-line.tsx';
import { useStreams } from '../../subscriptions/use-streams.ts';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useDirectory } from '../../hooks/use-directory.ts';
import { useSettled } from '../../hooks/use-settled.ts';
import { countText } from '../../locale.ts';
import { TagFilter } from '../../tags/tag-filter.tsx';
import { foundEvents } from './found-events.ts';
import { type SearchedPage, useEventSearch } from './use-event-search.ts';

/** Time without a key after which the search looks through the events, which may have megabytes. */
const TYPING_MS = 200;
/** Rows that a person reads; the search finds others. */
const MAX_ROWS = 200;

/** Searches the last events of all sources. */
export function EventsPage() {
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const [source] = useAddressFilter('source');
  const [tag] = useAddressFilter('tag');
  const [stream] = useAddressFilter('stream');
  const query = useEventSearch({ source, tag, stream });
  const reload = async (): Promise<string> => {
    await query.refetch({ throwOnError: true });
    return 'The events are up to date.';
  };
  if (hasNone(query, q + source + tag + stream))
    return (
      <Page title="Events">
        <EmptyState title="No events yet.">
          <p>The events of all sources are searched here, and there is no source.</p>
          <Allowed>
            <a class="button" href="/console/sources/new">
              Create the first source
            </a>
          </Allowed>
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title="Events"
      actions={
        <ActionButton needs="read" act={reload}>
          Refresh
        </ActionButton>
      }
    >
      <div class="filters">
        <SearchBox value={q} onChange={setQ} placeholder="Text of events, or an id" />
        <SourceFilter />
        <TagFilter />
        <StreamFilter />
      </div>
      <Loaded query={query} rows={6}>
        {({ pages }) => (
          <>
            <div class="list-head">
              <p class="hint" role="status">
                {searchedText(
                  pages.reduce((sum, { data }) => sum + data.length, 0),
                  pages[0]?.page_info.total_count ?? 0,
                )}
              </p>
              {query.hasNextPage && (
                // A button that is disabled loses the focus.
                <button
                  type="button"
                  aria-disabled={query.isFetchingNextPage}
                  onClick={() => !query.isFetchingNextPage && void query.fetchNextPage()}
                >
                  {query.isFetchingNextPage ? 'Searching…' : 'Search more sources'}
                </button>
              )}
            </div>
            <Found pages={pages} q={q} stream={stream} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const searchedText = (searched: number, total: number): string =>
  `Searched ${countText(searched)} of ${countText(total)} ${total === 1 ? 'source' : 'sources'}, the last 100 events of each.`;

/** All sources are read when a person goes to the box. */
function SourceFilter() {
  const [source, setSource] = useAddressFilter('source');
  const [isAsked, setAsked] = useState(source !== '');
  const { sources = [] } = useDirectory({ isOn: isAsked }).data ?? {};
  return (
    <Combobox
      label="Source"
      isShort
      placeholder="All sources"
      value={source}
      onChange={setSource}
      onFocus={() => setAsked(true)}
      groups={[['Sources', sources]]}
    />
  );
}

/** The streams of runs, those that listeners follow, and the one of the address. */
function StreamFilter() {
  const [stream, setStream] = useAddressFilter('stream');
  const values = useStreams(stream, (emitter) => emitter.startsWith('dc_'));
  return <SelectFilter label="Stream" value={stream} onChange={setStream} all="default" values={values} />;
}

function Found({ pages, q, stream }: { pages: readonly SearchedPage[]; q: string; stream: string }) {
  const events = useMemo(() => pages.flatMap((page) => page.events), [pages]);
  const search = useSettled(q, TYPING_MS);
  const found = useMemo(() => foundEvents(events, { search, stream }), [events, search, stream]);
  if (found.length === 0)
    return (
      <EmptyState title={events.length === 0 ? 'No events there.' : 'No event matches.'}>
        <p>Change the search text, the source, the tag or the stream, or search more sources.</p>
      </EmptyState>
    );
  const shown = found.slice(0, MAX_ROWS);
  return (
    <>
      <ListCount shown={shown.length} total={found.length} one="event" many="events" />
      <ul class="plain events" aria-label="Events">
        {shown.map(({ event, source }) => (
          <li key={`${source.id} ${event.id}`}>
            <a class="found-event" href={eventHref({ emitterId: source.id, stream, eventId: event.id })}>
              <Ago ms={eventMs(event.id)} />
              <span class="emitter" title={source.name}>
                {source.name}
              </span>
              <EventLine event={event} stream={stream} />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
