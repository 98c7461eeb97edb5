import { expect, test } from 'vitest';
import { traceOfEvent, tracesOf } from '../../../../functions/console/app/events/trace-of-run.ts';
import { EventId } from '../../../../shared/domain/event/event-id.ts';

const log = (id: string, runId: string, text: string) => ({
  id: EventId.parse(id),
  event: { run_id: runId, lines: [{ k: 'console.log', ts: 1, msg: text }] },
});
const thrown = (id: string, runId: string, message: string) => ({
  id: EventId.parse(id),
  event: { run_id: runId, lines: [{ k: 'error', ts: 1, msg: message, err: { name: 'Error', message } }] },
});
const error = (id: string, runId: string, message: string) => ({
  id: EventId.parse(id),
  event: { original_context: { id: runId }, error: { code: 'Error', message, stack: `Error: ${message}` } },
});

/** Two runs of one millisecond, with two and one events, and an earlier one. */
const traces = tracesOf([
  log('2000-3', 'first', 'of the first'),
  error('2000-5', 'second', 'failed'),
  log('2000-6', 'second', 'of the second'),
  log('1000-1', 'earlier', 'of the earlier'),
]);

test('the logs and the error of a run are one trace; the newest run is first', () => {
  expect(traces.map(({ runId }) => runId)).toEqual(['second', 'first', 'earlier']);
  expect(traces[0]).toMatchObject({
    lines: [{ kind: 'log', text: 'of the second' }],
    errors: [{ code: 'Error', message: 'failed', stack: 'Error: failed' }],
  });
});

test('a thrown error is shown once: by its stack, and by its line in the log while there is no stack', () => {
  const inLog = thrown('2000-1', 'run', 'failed');
  expect(tracesOf([inLog])[0]?.lines).toMatchObject([{ kind: 'error', text: 'failed' }]);
  expect(tracesOf([inLog, error('2000-2', 'run', 'failed')])[0]).toMatchObject({
    lines: [],
    errors: [{ message: 'failed' }],
  });
});

test('an event finds the trace of its own run by its trigger, else by its place among the events', () => {
  expect(traceOfEvent(traces, '2000-1', 'second')?.runId).toBe('second');
  expect(traceOfEvent(traces, '2000-1', null)?.runId).toBe('first');
  expect(traceOfEvent(traces, '2000-2', null)?.runId).toBe('first');
  expect(traceOfEvent(traces, '2000-4', null)?.runId).toBe('second');
  expect(traceOfEvent(traces, '2000-7', null)).toBeUndefined();
  expect(traceOfEvent(traces, '1500-1', null)).toBeUndefined();
});
