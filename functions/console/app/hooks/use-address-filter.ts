import { useLocation } from 'preact-iso/router';

/** The parameter with the id of an opened event. */
export const OPENED_EVENT = 'event';

/**
 * A filter that stands in the address, so that links and the back button keep it. A `typed` filter changes with every key, and adds nothing
 * to the history.
 */
export function useAddressFilter(
  name: string,
  { typed = false } = {},
): [value: string, set: (value: string) => void] {
  const { query, path, route } = useLocation();
  const set = (value: string): void => {
    // Other filters may have changed since this page was shown.
    const parameters = new URLSearchParams(location.search);
    if (value === '') parameters.delete(name);
    else parameters.set(name, value);
    // An opened event belongs to the list in which it was opened.
    if (name !== OPENED_EVENT) parameters.delete(OPENED_EVENT);
    const text = parameters.toString();
    route(text === '' ? path : `${path}?${text}`, typed);
  };
  return [query[name] ?? '', set];
}
