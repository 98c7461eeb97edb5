import type { Live } from '../../hooks/use-live.ts';

/** Holds a live list, so that it can be read. It shows the state; the action is its name for screen readers. */
export const PauseButton = ({ live: { isPaused, toggle } }: { live: Live }) => (
  <button type="button" class="live" title={isPaused ? 'Resume' : 'Pause'} onClick={toggle}>
    <span class="hidden-text">{isPaused ? 'Resume: ' : 'Pause: '}</span>
    {isPaused ? 'Paused' : 'Live'}
    <span class={isPaused ? 'dot' : 'dot on'} aria-hidden="true" />
  </button>
);
