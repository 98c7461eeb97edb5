import type { Live } from '../../hooks/use-live.ts';

/** Holds a live list, so that it can be read. */
export const PauseButton = ({ live: { isPaused, toggle } }: { live: Live }) => (
  <button type="button" class="live" onClick={toggle}>
    <span class={isPaused ? 'dot' : 'dot on'} aria-hidden="true" />
    {isPaused ? 'Resume' : 'Pause'}
  </button>
);
