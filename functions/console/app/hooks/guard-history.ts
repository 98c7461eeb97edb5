type HistoryGuard = (event: PopStateEvent) => void;

let current: HistoryGuard | undefined;

// A window calls its listeners in the order in which they were added. This one comes before that of the router, which
// is added when the page is drawn.
addEventListener('popstate', (event) => current?.(event));

/** Calls a guard before the router learns that the browser went back or forward. Returns the end of it. */
export function guardHistory(guard: HistoryGuard): () => void {
  current = guard;
  return () => {
    if (current === guard) current = undefined;
  };
}
