import { useLocation } from 'preact-iso/router';

/** The parameter with the id of an opened event. */
export const OPENED_EVENT = 'event';
/** The parameter that opens the dialog of a request to a source. */
export const SENDING = 'send';

/** Sets parameters of the address; an empty value removes its own. */
export function useSetAddress(): (
  changes: readonly (readonly [name: string, value: string])[],
  typed?: boolean,
) => void {
  const { path, route } = useLocation();
  return (changes, typed = false) => {
    // Other filters may have changed since this page was shown.
    const parameters = new URLSearchParams(location.search);
    for (const [name, value] of changes) {
      if (value === '') parameters.delete(name);
      else parameters.set(name, value);
    }
    // An opened event belongs to the list in which it was opened.
    if (changes.some(([name]) => name !== OPENED_EVENT && name !== SENDING)) parameters.delete(OPENED_EVENT);
    const text = parameters.toString();
    route(text === '' ? path : `${path}?${text}`, typed);
  };
}

/**
 * A filter that stands in the address, so that links and the back button keep it. A `typed` filter changes with every
 * key, and adds nothing to the history.
 */
export function useAddressFilter(name: string, { typed = false } = {}): [value: string, set: (value: string) => void] {
  const { query } = useLocation();
  const setAddress = useSetAddress();
  return [query[name] ?? '', (value) => setAddress([[name, value]], typed)];
}
