import { expect, test } from 'vitest';
import { eventsHint, noLogsText } from '../../../../functions/console/app/pages/runs/run-texts.ts';

const ENDED = { ended_at_ms: 1 };
const RUNNING = { ended_at_ms: null };

test('missing events are told once all were read, with the number that the page reads at most', () => {
  const hint = (emitted: number, listed: number, isRead = true) =>
    eventsHint({ ...ENDED, emitted }, { listed, isRead });
  expect(hint(25, 20)).toMatch(/^5 events are not listed here: beyond 20 events, /);
  expect(hint(2, 1)).toMatch(/^1 event is not listed here/);
  expect(hint(25, 0, false)).toBeUndefined();
  expect(hint(1, 1)).toBeUndefined();
  expect(hint(0, 0, false)).toBe('The run emitted nothing.');
  expect(eventsHint({ ...RUNNING, emitted: 0 }, { listed: 0, isRead: true })).toContain('when the run has ended');
});

test('a run is said to have no logs only after a read, and only among the last runs', () => {
  const text = (isRead: boolean, run = ENDED as { ended_at_ms: number | null }, message?: string) =>
    noLogsText({ ...run, error: message === undefined ? null : { code: 'Error', message } }, { isRead });
  expect(text(false)).toBeUndefined();
  expect(text(true)).toBe('No logs of it are among the last 20.');
  expect(text(false, ENDED, 'It broke.')).toBe('It broke.');
  expect(text(false, RUNNING)).toContain('when the run has ended');
});
