import { expect, test } from 'vitest';
import { lineOfEvent } from '../../../../functions/console/app/events/line-of-event.ts';
import { EventId } from '../../../../shared/domain/event/event-id.ts';
import { EmitterId } from '../../../../shared/domain/id.ts';

const shown = (event: object, summary?: string) => ({
  id: EventId.parse('1000-1'),
  indexed_at_ms: 1_000,
  event: { ...event },
  metadata: {
    emit_id: 'x',
    name: '',
    emitter_id: EmitterId.parse('dc_000000000000000000000000'),
    ...(summary === undefined ? {} : { summary }),
  },
  json: JSON.stringify(event),
});

test('an event is shown by its summary, else by the first scalars of its data', () => {
  expect(lineOfEvent(shown({ a: 1 }, 'First order'), '')).toBe('First order');
  expect(lineOfEvent(shown({ a: 1 }), undefined)).toBe('a: 1');
  expect(lineOfEvent(shown({ a: {} }), undefined)).toBe('{"a":{}}');
  expect(lineOfEvent(shown({ a: 1 }, 'x'.repeat(1_000)), '')).toHaveLength(160);
});

test('an event of $errors is shown by its error, one of $logs by its first line', () => {
  const error = { code: 'TypeError', message: 'no name', stack: 'TypeError: no name\n    at run' };
  expect(lineOfEvent(shown({ error }), '$errors')).toBe('TypeError: no name');
  expect(lineOfEvent(shown({ error: { ...error, message: '' } }), '$errors')).toBe('TypeError: no name');
  expect(lineOfEvent(shown({ error }), '')).toContain('error.code: TypeError');
  const lines = [{ k: 'console.log', ts: 1, msg: 'greets Ada' }];
  expect(lineOfEvent(shown({ run_id: 'r', lines }), '$logs')).toBe('greets Ada');
  expect(lineOfEvent(shown({ odd: true }), '$logs')).toBe('odd: true');
});
