import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { listPublished } from '../api/component-api.ts';
import { FIRST_PAGE, nextCursor } from '../api/page-cursors.ts';
import { Loaded } from '../components/loaded.tsx';
import { MoreButton } from '../components/buttons/more-button.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { withoutMarks } from '../markdown/parse-markdown.ts';
import { type GalleryItem, itemOfComponent, matches } from './gallery-item.ts';

/** The examples and the published components, to begin a source with. */
export function Gallery({ onPick }: { onPick: (item: GalleryItem) => void }) {
  const [search, setSearch] = useState('');
  const examples = useQuery({
    queryKey: ['examples'],
    queryFn: async () => (await import('./example-items.ts')).EXAMPLES,
    staleTime: Infinity,
  });
  const published = useInfiniteQuery({
    queryKey: ['published', search],
    queryFn: ({ pageParam }) => listPublished({ q: search }, pageParam),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextCursor,
    placeholderData: (shown) => shown,
  });
  return (
    <div class="stack">
      <div class="short-field">
        <SearchBox value={search} onChange={setSearch} placeholder="Name, description or app" />
      </div>
      <Loaded query={published} rows={2}>
        {({ pages }) => {
          const items = [
            ...pages.flatMap(({ data }) => data.map(itemOfComponent)),
            ...(examples.data ?? []).filter((item) => matches(item, search)),
          ];
          return items.length === 0 ? (
            <p class="muted">Nothing matches. Write the code yourself, or change the search text.</p>
          ) : (
            <ul class="plain gallery" aria-label="Examples and components">
              {items.map((item) => (
                <li key={item.id}>
                  <GalleryCard item={item} onPick={onPick} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <MoreButton query={published} />
    </div>
  );
}

function GalleryCard({ item, onPick }: { item: GalleryItem; onPick: (item: GalleryItem) => void }) {
  const { name, description, kind, apps, startedBy } = item;
  return (
    <button type="button" class="gallery-card" onClick={() => onPick(item)}>
      <span class="entry-name">{name}</span>
      <span class="hint">{withoutMarks(description)}</span>
      <span class="gallery-marks">
        {[kind, ...startedBy, ...apps].map((text) => (
          <span key={text} class="gallery-mark">
            {text}
          </span>
        ))}
      </span>
    </button>
  );
}
