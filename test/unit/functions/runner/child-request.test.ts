import { expect, test } from 'vitest';
import { type ChildRequest, RequestReader, writeRequest } from '../../../../functions/runner/child-request.ts';
import { LineReader } from '../../../../shared/lib/line-reader.ts';
import type { Job } from '../../../../shared/domain/run/run.ts';
import { defaultLimits } from '../../../../shared/domain/run-limits.ts';

const request = (...jobs: Job[]): ChildRequest => ({
  bundle: '/bundle.mjs',
  sourceId: 'dc_1',
  props: {},
  db: '{}',
  limits: defaultLimits,
  jobs,
});

function read(text: string): ChildRequest[] {
  const lines = new LineReader();
  const reader = new RequestReader();
  return lines.push(Buffer.from(text)).flatMap((line) => reader.push(line) ?? []);
}

test('a reader restores requests and assigns each event to its run', () => {
  const requests = [
    request({ kind: 'describe', id: '1' }),
    request(
      { kind: 'run', id: '2', event: '{"n":1,"text":"a\\nb"}' },
      { kind: 'hook', id: '3', hook: 'deploy' },
      { kind: 'run', id: '4', event: '[]' },
      { kind: 'run', id: '5', event: JSON.stringify('x'.repeat(10_000)) },
      { kind: 'run', id: '6', event: '{}' },
    ),
    request({ kind: 'run', id: '7', event: '"last"' }),
  ];
  expect(read(requests.flatMap(writeRequest).join(''))).toEqual(requests);
});

test('an event with line breaks between its tokens keeps its value', () => {
  const event = '{\n  "a": [\r\n    1\n  ]\n}';
  const [{ jobs: [job] = [] } = request()] = read(writeRequest(request({ kind: 'run', id: '1', event })).join(''));
  expect(job?.kind === 'run' && JSON.parse(job.event)).toEqual({ a: [1] });
});

test('an event is not quoted', () => {
  const event = JSON.stringify({ text: '"'.repeat(1_000) });
  expect(writeRequest(request({ kind: 'run', id: '1', event })).join('')).toContain(`\n${event}\n`);
});

test('a long event is a piece of its own, so that it is not copied', () => {
  const long = JSON.stringify('x'.repeat(10_000));
  const pieces = writeRequest(request({ kind: 'run', id: '1', event: '[]' }, { kind: 'run', id: '2', event: long }));
  expect(pieces.slice(1)).toEqual([long, '\n']);
});
