import { useEffect } from 'preact/hooks';
import type { StreamRef } from '../api/event-api.ts';
import { followStream } from '../api/live-api.ts';
import { useVisible } from './use-visible.ts';

interface LiveStreamOptions {
  isOn: boolean;
  /** The newest event that is known when the stream begins. */
  positionOf: () => string;
  onEvents: () => Promise<unknown>;
}

/** Follows a live stream while the tab is visible. */
export function useLiveStream(
  { emitterId, stream, filter }: StreamRef,
  { isOn, positionOf, onEvents }: LiveStreamOptions,
): void {
  const isVisible = useVisible();
  useEffect(() => {
    if (!isOn || !isVisible) return undefined;
    const abort = new AbortController();
    const ref = {
      emitterId,
      ...(stream === undefined ? {} : { stream }),
      ...(filter === undefined ? {} : { filter }),
    };
    void followStream(ref, { position: positionOf(), onEvents, signal: abort.signal });
    return () => abort.abort();
    // The callbacks read the state of the moment in which they are called.
  }, [emitterId, stream, filter, isOn, isVisible]);
}
