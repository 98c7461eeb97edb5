import { useState } from 'preact/hooks';

export interface Live {
  isPaused: boolean;
  toggle: () => void;
  /** The `refetchInterval` of a query. TanStack Query refetches nothing while the tab is hidden. */
  interval: number | false;
}

/** An event is to be on the page 3 s after it can be read. */
const POLL_MS = 1_000;

/** Polling that a person can pause. */
export function useLive(pollMs = POLL_MS): Live {
  const [isPaused, setPaused] = useState(false);
  return {
    isPaused,
    toggle: () => setPaused(!isPaused),
    interval: isPaused ? false : pollMs,
  };
}
