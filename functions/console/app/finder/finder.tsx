import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { Options } from '../choosing/options.tsx';
import { useActiveOption } from '../choosing/use-active-option.ts';
import { Modal } from '../components/modal.tsx';
import { ErrorText } from '../components/refusal.tsx';
import { type FoundPage, useFinderResults } from './use-finder-results.ts';
import { followLink } from '../hooks/follow-link.ts';
import { countText } from '../locale.ts';
import { soughtId } from './sought-id.ts';

/**
 * Finds sources, webhooks, components, accounts, events, deliveries and actions from any page. Ctrl-K opens and closes
 * it.
 */
export function Finder() {
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // The dialog of another task stays the only one.
      setOpen((before) => !before && !document.querySelector('dialog[open]'));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" class="finder-button" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        Find
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <Modal isOpen={isOpen} title="Find" hasHeading={false} onClose={close} isWide>
        <FinderBox onClose={close} />
      </Modal>
    </>
  );
}

function FinderBox({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const { groups, hidden, isReading, hasNames, error } = useFinderResults(text);
  const pages = groups.flatMap(([, found]) => found);
  const { index, setIndex, move } = useActiveOption(pages, text);
  /** The text with which Enter was pressed, perhaps before it was found. */
  const [awaited, setAwaited] = useState<string>();
  const open = (page: FoundPage): void => {
    onClose();
    followLink(page.href);
  };
  const active = pages[index];
  useLayoutEffect(() => {
    if (awaited !== text || !active || !hasNames) return;
    setAwaited(undefined);
    open(active);
  }, [awaited, text, active, hasNames]);
  return (
    <div class="finder">
      <div class="finder-line">
        <input
          type="text"
          role="combobox"
          aria-label="Find"
          aria-autocomplete="list"
          aria-expanded={pages.length > 0}
          aria-controls={pages.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={pages.length > 0 ? `${id}-${index}` : undefined}
          autofocus
          autocomplete="off"
          spellcheck={false}
          placeholder="Name, address or id"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAwaited(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault();
              setAwaited(text);
            } else move(event);
          }}
        />
        {/* For fingers: keyboards have Escape. */}
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
      {error != null && <ErrorText error={error} />}
      {pages.length > 0 && (
        <Options id={id} label="Results" groups={groups} index={index} value="" onPoint={setIndex} onChoose={open} />
      )}
      <p class="hint" role="status">
        {isReading ? 'Looking…' : statusText(text, { count: pages.length, hidden })}
      </p>
    </div>
  );
}

function statusText(text: string, { count, hidden }: { count: number; hidden: number }): string {
  if (count > 0) return hidden === 0 ? '' : `${countText(hidden)} more: type more of the name.`;
  const sought = soughtId(text);
  if (sought?.kind === 'event') return 'No stream has this event among its last 100.';
  if (sought?.kind === 'delivery') return 'No webhook has this delivery.';
  return 'Nothing has this name or id. An event and a delivery are found by their whole id.';
}
