import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { listPublished } from '../api/component-api.ts';
import { Loaded } from '../components/loaded.tsx';
import { MoreButton } from '../components/buttons/more-button.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { useWide } from '../hooks/use-wide.ts';
import { useList } from '../lists/use-list.ts';
import { PlainMarkdown } from '../markdown/markdown.tsx';
import { type GalleryItem, itemOfComponent, itemOfExample, matches } from './gallery-item.ts';

/** Cards before a person asks for all: the form below them is the page. */
const WIDE_ITEMS = 8;
const NARROW_ITEMS = 4;

/** The examples and the published components, to begin a source with. */
export function Gallery({ onPick }: { onPick: (item: GalleryItem) => void }) {
  const [search, setSearch] = useState('');
  const [isWhole, setWhole] = useState(false);
  const first = useWide() ? WIDE_ITEMS : NARROW_ITEMS;
  const examples = useQuery({
    queryKey: ['examples'],
    // They are loaded when a gallery is opened.
    queryFn: async () => (await import('console:examples')).default.flatMap((code) => itemOfExample(code) ?? []),
    staleTime: Infinity,
  });
  const { query: published, items: components } = useList({
    queryKey: ['published', search],
    read: (after) => listPublished({ q: search }, after),
  });
  return (
    <div class="stack">
      <div class="short-field">
        <SearchBox value={search} onChange={setSearch} placeholder="Name, description or app" />
      </div>
      <Loaded query={published} rows={2}>
        {() => {
          const items = [
            ...components.map(itemOfComponent),
            ...(examples.data ?? []).filter((item) => matches(item, search)),
          ];
          return items.length === 0 ? (
            <p class="muted">Nothing matches. Write the code yourself, or change the search text.</p>
          ) : (
            <>
              <ul class="plain gallery" aria-label="Examples and components">
                {(isWhole ? items : items.slice(0, first)).map((item) => (
                  <li key={item.id}>
                    <GalleryCard item={item} onPick={onPick} />
                  </li>
                ))}
              </ul>
              {!isWhole && items.length > first && (
                <div class="actions">
                  <button type="button" onClick={() => setWhole(true)}>
                    Show all {items.length}
                  </button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      {isWhole && <MoreButton query={published} />}
    </div>
  );
}

function GalleryCard({ item, onPick }: { item: GalleryItem; onPick: (item: GalleryItem) => void }) {
  const { name, description, kind, apps, startedBy } = item;
  return (
    <button type="button" class="gallery-card" onClick={() => onPick(item)}>
      <span class="entry-name">{name}</span>
      <span class="hint">
        <PlainMarkdown text={description} />
      </span>
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
