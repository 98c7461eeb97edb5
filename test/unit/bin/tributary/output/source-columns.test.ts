import { expect, test } from 'vitest';
import { shownValues, sourceColumns, sourceDetails } from '../../../../../bin/tributary/output/source-columns.ts';
import { cellsOf } from '../../../../../bin/tributary/output/text-table.ts';
import { Source } from '../../../../../bin/tributary/session/response-schemas.ts';

const NEXT_MS = Date.UTC(2031, 2, 1, 10, 30);
const sourceOf = (more: object): Source =>
  Source.parse({
    id: 'dc_1',
    component_id: 'sc_1',
    configured_props: {},
    active: true,
    created_at: 0,
    name: 'orders',
    name_slug: 'orders',
    ...more,
  });
const cron = { interval_seconds: null, cron: '0 6 * * *', timezone: 'Europe/Rome', next_run_ms: null };

test.each([
  [
    { timer: { interval_seconds: 900, cron: null, next_run_ms: NEXT_MS }, endpoint_url: 'http://127.0.0.1:3001/x' },
    ['every 15 min, HTTP', '2031-03-01T10:30:00.000Z'],
  ],
  [{ timer: cron, active: false }, ['daily at 06:00 Europe/Rome', '']],
  [{ endpoint_url: null }, ['listener', '']],
])('a source and a list of sources say what runs it, and when a timer does so next: %j', (more, shown) => {
  for (const columns of [sourceColumns, sourceDetails([])]) {
    const [headings = [], cells = []] = cellsOf([sourceOf(more)], columns, (ms) => new Date(ms).toISOString());
    expect(['TRIGGER', 'NEXT RUN'].map((heading) => cells[headings.indexOf(heading)])).toEqual(shown);
  }
});

test('values of secret props, and of props that code added, are hidden', () => {
  const props = [
    { name: 'url', type: 'string' },
    { name: 'token', type: 'string', secret: true },
  ];
  expect(shownValues({ url: 'https://a.example', token: 'hunter2', added: 'hunter3' }, props)).toEqual({
    url: 'https://a.example',
    token: '(hidden)',
    added: '(hidden)',
  });
});
