import { expect, test } from 'vitest';
import type { Run, ShownEvent } from '../../../../functions/console/app/api/wire.ts';
import { isOfRun, isWholeTrace, possibleEvents } from '../../../../functions/console/app/pages/runs/events-of-run.ts';

const run: Run = {
  id: 'api-1',
  state: 'done',
  received_at_ms: 100_000,
  started_at_ms: 100_010,
  ended_at_ms: 140_000,
  emitted: 1,
  error: null,
};
const event = (id: string, stored: number): ShownEvent => ({
  id: id as ShownEvent['id'],
  indexed_at_ms: stored,
  event: {},
  metadata: { emit_id: 'e', name: '', emitter_id: 'dc_1' as ShownEvent['metadata']['emitter_id'] },
  json: '{}',
});

test('the candidates of a run are events that were stored at its end or later, nearest first', () => {
  const events = [
    event('150000-0', 150_000),
    event('100001-0', 140_001),
    event('90000-0', 140_001),
    event('100000-0', 101_000),
  ];
  expect(possibleEvents(run, events).map(({ id }) => id)).toEqual(['100001-0', '150000-0']);
  expect(possibleEvents({ ...run, state: 'running', ended_at_ms: null }, events)).toEqual([]);
  const many = Array.from({ length: 100 }, (_, n) => event(`100001-${n}`, 140_001));
  expect(possibleEvents(run, many)).toHaveLength(20);
});

test('an event is of the run that its trigger names, else of the run whose log follows it', () => {
  const trace = { runId: 'http-1', ms: 100_001, lastSequence: 3, lines: [], errors: [] };
  const at = (sequence: number) => event(`100001-${sequence}`, 1).id;
  expect(isOfRun('api-1', { id: at(1), trigger_id: 'api-1' }, [])).toBe(true);
  expect(isOfRun('api-1', { id: at(1), trigger_id: 'api-2' }, [{ ...trace, runId: 'api-1' }])).toBe(false);
  expect(isOfRun('http-1', { id: at(1), trigger_id: null }, [trace])).toBe(true);
  expect(isOfRun('http-1', { id: at(4), trigger_id: null }, [trace])).toBe(false);
});

test('the trace of a run is whole when it is there, and has the error of a run that failed', () => {
  const trace = { runId: 'api-1', ms: 1, lastSequence: 1, lines: [], errors: [] };
  const error = { code: 'Error', message: 'It broke.', stack: '' };
  expect(isWholeTrace(run, undefined)).toBe(false);
  expect(isWholeTrace(run, trace)).toBe(true);
  expect(isWholeTrace({ state: 'failed' }, trace)).toBe(false);
  expect(isWholeTrace({ state: 'failed' }, { ...trace, errors: [error] })).toBe(true);
});
