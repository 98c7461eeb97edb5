import { useState } from 'preact/hooks';
import type { App } from '../api/wire.ts';
import { SearchBox } from '../components/search-box.tsx';
import { countText } from '../locale.ts';
import { useFocusInside } from '../hooks/use-focus-inside.ts';

const MAX_SHOWN = 50;

/** The apps that an account can be connected of. */
export function AppList({ apps, onPick }: { apps: readonly App[]; onPick: (app: App) => void }) {
  const list = useFocusInside<HTMLDivElement>();
  const [q, setQ] = useState('');
  const found = apps.filter(({ app }) => app.includes(q.trim().toLowerCase()));
  if (apps.length === 0)
    return <p>There are no apps yet. They come with components that use one: create a source or a component first.</p>;
  return (
    <div class="stack" ref={list}>
      <SearchBox value={q} onChange={setQ} placeholder="Name of the app" />
      <ul class="plain app-list" aria-label="Apps">
        {found.slice(0, MAX_SHOWN).map((each) => (
          <li key={each.app}>
            <button type="button" onClick={() => onPick(each)}>
              {each.app} <span class="sub">{wayOf(each)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="muted">No app matches.</p>}
      {found.length > MAX_SHOWN && (
        <p class="muted">and {countText(found.length - MAX_SHOWN)} more. Search for the app.</p>
      )}
    </div>
  );
}

const wayOf = ({ auth, provider }: App): string =>
  auth === 'oauth' ? `by a sign-in${provider === null ? '' : ` at ${provider}`}` : 'by its fields';
