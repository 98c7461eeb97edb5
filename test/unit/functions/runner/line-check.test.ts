import { expect, test } from 'vitest';
import { LineCheck } from '../../../../functions/runner/line-check.ts';
import { LARGEST_EMITTED_BYTES } from '../../../../shared/domain/event/emitted-bytes.ts';
import { lineHead, lineText, SEPARATOR } from '../../../../shared/domain/run/line-text.ts';
import type { Job } from '../../../../shared/domain/run/run.ts';
import { defaultLimits } from '../../../../shared/domain/run-limits.ts';

const checkOf = (kind: Job['kind']) => new LineCheck({ id: 'job', kind }, defaultLimits);
const COUNTS = { emits: 1, logs: 0, writes: 0, responses: 0, errors: 0 };
const emit = (json: string, meta: object = {}) => lineText({ k: 'emit', job: 'job', json, meta });
const log = (members: object) => lineText({ k: 'log', job: 'job', level: 'console.log', ts: 1, msg: '', ...members });
const error = (members: object) =>
  lineText({ k: 'error', job: 'job', error: { code: '', name: '', message: '', stack: '', ...members } });
const respond = (members: object = {}) =>
  lineText({ k: 'respond', job: 'job', status: 200, headers: {}, body: '', base64: false, ...members });
const db = (json: string) => lineText({ k: 'db', job: 'job', json });
const options = (values: unknown[]) => lineText({ k: 'options', job: 'job', options: values, context: null });
const props = lineText({ k: 'props', job: 'job', props: [] });
const late = (members: object = {}) =>
  lineText({ k: 'late', job: 'job', run: 'earlier', counts: { ...COUNTS, ...members } });
const end = lineText({ k: 'end', job: 'job', ms: 1 });

test('the events of one job keep to their limit together, whoever wrote the lines', () => {
  const check = checkOf('run');
  const json = JSON.stringify('x'.repeat(1024 * 1024 - 2));
  const accepted = Array.from({ length: 40 }, () => check.accept({ text: emit(json) })).filter(
    (each) => each !== undefined,
  );

  expect(accepted).toHaveLength(LARGEST_EMITTED_BYTES / json.length);
});

test.each<[Job['kind'], string[]]>([
  ['run', ['emit', 'error', 'log', 'db', 'respond', 'late', 'end']],
  ['hook', ['emit', 'error', 'log', 'db', 'late', 'end']],
  ['describe', ['log', 'end']],
  ['props', ['log', 'props', 'end']],
  ['options', ['log', 'options', 'end']],
])('a %s job writes only its kinds of lines', (kind, expected) => {
  const lines = [emit('1'), error({}), log({}), db('{}'), respond(), late(), props, options([]), end];
  const check = checkOf(kind);
  const accepted = lines.flatMap((line) => check.accept({ text: line })?.k ?? []);

  expect(accepted.sort()).toEqual([...expected].sort());
});

test('a long event keeps to the limits of an event, in bytes', () => {
  const head = lineHead(emit('', { id: 'own' })) + SEPARATOR;
  const largest = defaultLimits.eventBytes - 'own'.length;
  const check = checkOf('run');
  const acceptLong = (text: string, bytes: number) =>
    check.accept({ text, utf8: Buffer.alloc(text.length + bytes + 1) })?.k;
  expect(acceptLong(head, largest)).toBe('emit');
  expect(acceptLong(head, largest + 1)).toBeUndefined();
  expect(acceptLong(head.replace('"job":"job"', '"job":"other"'), 70_000)).toBeUndefined();
  const others = Array.from({ length: 40 }, () => acceptLong(head, largest));
  expect(others.filter((kind) => kind === 'emit')).toHaveLength(Math.floor(LARGEST_EMITTED_BYTES / largest) - 1);
  const reserved = {
    text: lineHead(emit('', { name: '$errors' })) + SEPARATOR,
    utf8: Buffer.alloc(70_000),
  };
  expect(checkOf('run').accept(reserved)).toBeUndefined();
});

test('a job has one answer: a second one is refused', () => {
  for (const [kind, line] of [
    ['run', respond()],
    ['options', options([])],
    ['props', props],
  ] as const) {
    const check = checkOf(kind);
    expect(check.accept({ text: line })?.k).toBeDefined();
    expect(check.accept({ text: line })).toBeUndefined();
  }
});

const MB = 'x'.repeat(1024 * 1024);
const KB = 1024;

test.each<[string, Job['kind'], string]>([
  ['options of more than 256 KB', 'options', options([MB.slice(0, 300 * KB)])],
  ['options with more than 50,000 values', 'options', options(Array.from({ length: 60_000 }, () => 1))],
  ['deeply nested options', 'options', options([JSON.parse('['.repeat(3000) + ']'.repeat(3000))])],
  ['a log line of more than 256 KB', 'run', log({ msg: MB })],
  ['a long message', 'run', log({ msg: MB.slice(0, 100 * KB) })],
  ['a log line with many values', 'run', log({ more: Array.from({ length: 20_000 }, () => 1) })],
  ['a time that is no time', 'run', log({ ts: 1e300 })],
  ['a long code of an error', 'run', error({ code: MB.slice(0, 100 * KB) })],
  ['a long stack', 'run', error({ stack: MB.slice(0, 100 * KB) })],
  ['a db of more than 60 KB', 'run', db(JSON.stringify({ a: MB.slice(0, 61 * KB) }))],
  ['a db of more than 60 KB in bytes', 'run', db(JSON.stringify({ a: '\u20ac'.repeat(30 * KB) }))],
  ['a db that is no object', 'run', db('[]')],
  ['an event of more than 1 MiB in bytes', 'run', emit(JSON.stringify('\u20ac'.repeat(400 * KB)))],
  ['an event that is above 1 MiB with its id', 'run', emit(JSON.stringify(MB.slice(9)), { id: 'x'.repeat(20) })],
  ['an event that is no JSON', 'run', emit('{')],
  ['ts 1e300', 'run', emit('1', { ts: 1e300 })],
  ['ts beyond the last Date', 'run', emit('1', { ts: 8.64e15 + 1000 })],
  ['a fraction as ts', 'run', emit('1', { ts: 0.5 })],
  ['delivery_ts 1e300', 'run', emit('1', { deliveryTs: 1e300 })],
  ['an infinite ts', 'run', '{"k":"emit","job":"job","meta":{"ts":1e999}}\t1\n'],
  ['an infinite id', 'run', '{"k":"emit","job":"job","meta":{"id":1e999}}\t1\n'],
  ['a long name', 'run', emit('1', { name: 'n'.repeat(129) })],
  ['a reserved name', 'run', emit('1', { name: '$errors' })],
  ['a long summary', 'run', emit('1', { summary: MB.slice(0, 10 * KB) })],
  ['a long hash of an id', 'run', emit('1', { idHash: MB.slice(0, 2 * KB) })],
  ['a response with many headers', 'run', respond({ headers: manyHeaders(20_000) })],
  ['a kind that is not the first member', 'run', '{"job":"job","k":"end","ms":1}\n'],
  ['a second kind', 'run', '{"k":"log","job":"job","ms":1,"k":"end"}\n'],
  ['no kind', 'run', '{"job":"job"}\n'],
  ['a late count that is negative', 'run', late({ emits: -1 })],
  ['a late count that is too large', 'run', late({ emits: 1e7 })],
  ['a late line with a long id', 'run', late().replace('earlier', 'x'.repeat(5 * KB))],
  ['a line of another job', 'run', emit('1').replace('"job":"job"', '"job":"other"')],
])('refuses %s', (_, kind, line) => {
  const check = checkOf(kind);
  expect(check.accept({ text: line })).toBeUndefined();
  // The job goes on.
  expect(check.isFlood).toBe(false);
  expect(check.accept({ text: end })?.k).toBe('end');
});

test.each<[string, Job['kind'], string]>([
  ['a db of 60 KB', 'run', db(JSON.stringify({ a: MB.slice(0, 60 * KB - 8) }))],
  ['an event of 1 MiB', 'run', emit(JSON.stringify(MB.slice(2)))],
  ['an event with an id of half its size in escapes', 'run', emit('1', { id: '\u0001'.repeat(512 * KB) })],
  ['a body of 6 MB in Base64', 'run', respond({ base64: true, body: 'A'.repeat(8 * KB * KB) })],
  ['a body of 6 MB of quotes', 'run', respond({ body: '"'.repeat(6 * KB * KB) })],
  ['the last time of a Date', 'run', emit('1', { ts: 8.64e15, deliveryTs: -8.64e15 })],
  ['options of 200 KB', 'options', options([MB.slice(0, 200 * KB)])],
  ['options with 40,000 values', 'options', options(Array.from({ length: 40_000 }, () => 1))],
])('accepts %s', (_, kind, line) => {
  expect(checkOf(kind).accept({ text: line })?.k).toBe(line.slice(6, line.indexOf('"', 6)));
});

test.each<[Job['kind'], number]>([
  ['describe', 300 * KB],
  ['options', 300 * KB],
  ['hook', 7 * KB * KB],
  ['run', 13 * KB * KB],
])('an unfinished line of a %s job is not kept beyond %i bytes', (kind, bytes) => {
  expect(checkOf(kind).longestLine).toBeLessThan(bytes);
});

function manyHeaders(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '1']));
}
