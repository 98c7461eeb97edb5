import { describe, expect, test } from 'vitest';
import {
  newTrace,
  traceFields,
  traceHeaders,
  traceOfText,
  traceText,
} from '../../../../../shared/domain/event/trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const of = (traceparent: string, tracestate?: string) => traceFields({ traceparent, tracestate }).trace;

describe('the trace of a request', () => {
  test.each([
    [`00-${ID}-${PARENT}-01`, '01'],
    [`00-${ID}-${PARENT}-00`, '00'],
    [` 00-${ID}-${PARENT}-01 `, '01'],
    // Only the known fields of a later version count.
    [`cc-${ID}-${PARENT}-01-more`, '01'],
    [`01-${ID}-${PARENT}-03`, '03'],
  ])('is taken over from %s', (traceparent, flags) => {
    expect(of(traceparent)).toEqual({ id: ID, flags });
  });

  test.each([
    '',
    'nonsense',
    `00-${ID}-${PARENT}`,
    `00-${ID}-${PARENT}-01-more`,
    `00-${ID.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `ff-${ID}-${PARENT}-01`,
    `00-${ID}-${PARENT}-0g`,
    `00-${ID}-${PARENT}-01\r\nx-evil: 1`,
  ])('is not taken over from %j', (traceparent) => {
    expect(of(traceparent)).toBeUndefined();
  });

  test.each([
    ['a=1', 'a=1'],
    ['a=1, b=2 ,,c@d=3', 'a=1,b=2,c@d=3'],
    [`a=${'x'.repeat(250)},b=${'y'.repeat(250)},c=${'z'.repeat(50)}`, `a=${'x'.repeat(250)},b=${'y'.repeat(250)}`],
    ['', undefined],
    ['no member', undefined],
    ['a=1,b', undefined],
    ['a=ü', undefined],
    ['a=1\r\nx-evil: 1', undefined],
    [Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(','), undefined],
  ])('keeps of the tracestate %j what is valid and fits: %j', (tracestate, state) => {
    expect(of(`00-${ID}-${PARENT}-01`, tracestate)?.state).toBe(state);
  });
});

test('the headers of an attempt name the trace, and a parent of their own', () => {
  const trace = { id: ID, flags: '01', state: 'a=1' };
  const { traceparent, tracestate } = traceHeaders(trace, 'first');
  expect(of(traceparent ?? '', tracestate)).toEqual(trace);
  expect(traceHeaders(trace, 'second')['traceparent']).not.toBe(traceparent);
  expect(of(traceHeaders(newTrace('trigger'), 'first')['traceparent'] ?? '')).toEqual(newTrace('trigger'));
});

test.each([
  { id: ID, flags: '01' },
  { id: ID, flags: '00', state: 'vendor=1,other=2' },
])('the text of %j is read back', (trace) => {
  expect(traceOfText(traceText(trace))).toEqual(trace);
});
