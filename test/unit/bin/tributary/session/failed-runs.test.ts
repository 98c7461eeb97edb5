import { expect, test } from 'vitest';
import type { Api } from '../../../../../bin/tributary/session/api.ts';
import { failedRuns } from '../../../../../bin/tributary/session/failed-runs.ts';
import { Source } from '../../../../../bin/tributary/session/response-schemas.ts';

const NOW = Date.UTC(2031, 2, 1);
const HOUR_MS = 3_600_000;
const sourceOf = (id: string, lastErrorMs: number | null): Source =>
  Source.parse({
    id,
    component_id: 'sc_1',
    configured_props: {},
    active: true,
    created_at: 0,
    name: id,
    name_slug: id,
    last_error_ms: lastErrorMs,
  });

test('the failed runs of the last day are counted, sixty sources a request', async () => {
  const asked: string[] = [];
  const get: Api['get'] = (_path, schema, { query = {} } = {}) => {
    const ids = String(query['source_id']).split(',');
    asked.push(`${query['measure']} ${ids.length}`);
    const value = query['measure'] === 'errors' ? 2 : 100;
    return Promise.resolve(
      schema.parse(ids.flatMap((id) => [1, 2].map(() => (ids.length === 1 ? { value } : { source_id: id, value })))),
    ) as never;
  };
  const sources = [
    ...Array.from({ length: 61 }, (_, n) => sourceOf(`dc_${n}`, NOW - HOUR_MS)),
    sourceOf('dc_old', NOW - 25 * HOUR_MS),
    sourceOf('dc_good', null),
  ];
  const runsOf = await failedRuns({ get }, sources, NOW);
  expect(asked.sort()).toEqual(['errors 1', 'errors 60', 'runs 1', 'runs 60']);
  expect([0, 60, 61, 62].map((n) => runsOf(sources[n] ?? expect.fail()))).toEqual([
    { failed: 4, all: 200 },
    { failed: 4, all: 200 },
    undefined,
    undefined,
  ]);
});
