import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SUMMARY_BYTES, summarise } from '../../../../../shared/domain/event/truncation.ts';

const bytes = (text: string) => Buffer.byteLength(text);
const ofLength = (length: number) => JSON.stringify({ a: 'x'.repeat(length - '{"a":""}'.length) });

test('event data up to 1,024 bytes of JSON in UTF-8 is given whole, as the text it came as', () => {
  expect(summarise(ofLength(1_024), 'default')).toBe(ofLength(1_024));
  const odd = '{"2":1, "1":{"__proto__":null},"n":1.00}';
  expect(summarise(odd, 'default')).toBe(odd);
  for (const above of [ofLength(1_025), JSON.stringify({ a: 'ä'.repeat(600) })]) {
    expect(bytes(summarise(above, 'default'))).toBeLessThanOrEqual(1_024);
  }
});

test('above, it is valid JSON of at most 1,024 bytes, for every event', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8, stringUnit: 'binary' }), fc.integer({ min: 1, max: 60 }), (json, times) => {
      const large = `{"a":[${Array.from({ length: times }, () => json).join(',')}],"z":${json}}`;
      for (const stream of ['default', '$errors']) {
        const summary = summarise(large, stream);
        expect(bytes(summary)).toBeLessThanOrEqual(1_024);
        expect(() => JSON.parse(summary) as unknown).not.toThrow();
        if (bytes(large) <= 1_024) expect(summary).toBe(large);
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});

test('the same top-level keys come first, and as many of very many as fit', () => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`key-${n}`, { deep: [n] }]));
  const kept = Object.keys(JSON.parse(summarise(JSON.stringify(many), 'default')) as object);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept).toEqual(Object.keys(many).slice(0, kept.length));
});

test('no cut goes through a character', () => {
  const json = summarise(JSON.stringify({ a: `x${'😀'.repeat(1_000)}` }), 'default');
  expect(json).toMatch(/^\{"a":"x(😀)+…"\}$/u);
});

test('raw_event keeps its wrapper', () => {
  const json = summarise(JSON.stringify({ raw_event: Array.from({ length: 2_000 }, (_, n) => n) }), 'default');
  expect(JSON.parse(json)).toEqual({ raw_event: expect.arrayContaining([0, 1, 2]) as unknown });
});

describe('in an error summary', () => {
  const context = {
    id: 'r',
    ts: 't',
    workflow_id: '',
    deployment_id: '',
    source_type: 'http',
    verified: false,
    owner_id: 'u',
    platform_version: '1',
  };
  const summary = (original: object, stack: string) => {
    const event = {
      original_event: original,
      original_context: context,
      error: { code: 'E', cellId: '', ts: 't', stack },
    };
    return JSON.parse(summarise(JSON.stringify(event), '$errors')) as typeof event;
  };

  test('error and original_context stay, original_event is shortened first', () => {
    const shown = summary({ big: 'x'.repeat(5_000), other: 1 }, 'at a\nat b');
    expect(shown.original_context).toEqual(context);
    expect(shown.error.stack).toBe('at a\nat b');
    expect(Object.keys(shown.original_event)).toEqual(['big', 'other']);
  });

  test('the stack is cut to what fits', () => {
    const shown = summary({ a: 1 }, 's'.repeat(5_000));
    expect(shown.original_context).toEqual(context);
    expect(shown.error.stack).toMatch(/^s{400,}…$/);
  });

  test('the message of an error is truncated too, but not its context or the names of its fields', () => {
    const error = { code: 'E', cellId: '', ts: 't', stack: 's'.repeat(3_000), message: 'm'.repeat(3_000) };
    const original = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`key-${n}`, 'o'.repeat(400)]));
    const event = { original_event: original, original_context: context, error };
    const shown = JSON.parse(summarise(JSON.stringify(event), '$errors')) as typeof event;
    expect(shown.original_context).toEqual(context);
    expect(shown.error).toMatchObject({ code: 'E', cellId: '', ts: 't' });
    expect([shown.error.message, shown.error.stack]).toEqual([
      expect.stringMatching(/^m{100,}…$/),
      expect.stringMatching(/^s{100,}…$/),
    ]);
  });
});

test('a summary of an event with very many keys renders few of them, at any level', () => {
  const members = Array.from({ length: 95_000 }, (_, n) => `"k${n}":1`).join(',');
  const rendered = vi.spyOn(JSON, 'stringify');
  const listed = vi.spyOn(Object, 'keys');
  onTestFinished(() => {
    rendered.mockRestore();
    listed.mockRestore();
  });
  for (const json of [`{${members}}`, `{"body":{${members}}}`, `[[{${members}}]]`]) {
    rendered.mockClear();
    listed.mockClear();
    expect(JSON.parse(summarise(json, 'default'))).toBeDefined();
    // Each of the eight levels of detail stops at 1,024 characters; the names of an object are listed once, and once
    // more for `firstMembers`.
    expect(rendered.mock.calls.length).toBeLessThan(8 * SUMMARY_BYTES);
    expect(listed.mock.calls.length).toBeLessThan(10);
  }
});
