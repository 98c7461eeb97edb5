import { describe, expect, test } from 'vitest';
import type { DraftStorage } from '../../../../functions/console/app/drafts/draft-store.ts';
import {
  createSampleStore,
  MAX_SAMPLE_BYTES,
  MAX_SAMPLES,
} from '../../../../functions/console/app/drafts/sample-store.ts';
import { acceptedSamples } from '../../../../functions/console/app/subscriptions/accepted-samples.ts';

/** The storage of a browser, with room for so many characters of a value. */
function aBrowser(room = Infinity) {
  const items = new Map<string, string>();
  const storage: DraftStorage = {
    get length() {
      return items.size;
    },
    key: (n) => [...items.keys()][n] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > room) throw new Error('QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key) => void items.delete(key),
  };
  return { items, samples: createSampleStore(storage) };
}

describe('the samples of a source', () => {
  test('are kept by name, in their order; one of the same name is replaced', () => {
    const { samples } = aBrowser();
    for (const name of ['__proto__', ' large ', 'constructor']) samples.save('dc_a', { name, json: '{"n":1}' });
    samples.save('dc_a', { name: 'large', json: '{"n":9007199254740993}' });
    samples.save('dc_b', { name: 'large', json: '{}' });
    expect(samples.read('dc_a')).toEqual([
      { name: '__proto__', json: '{"n":1}' },
      { name: 'constructor', json: '{"n":1}' },
      { name: 'large', json: '{"n":9007199254740993}' },
    ]);
    samples.remove('dc_a', '__proto__');
    expect(samples.read('dc_a').map(({ name }) => name)).toEqual(['constructor', 'large']);
    samples.clear();
    expect([samples.read('dc_a'), samples.read('dc_b')]).toEqual([[], []]);
  });

  test(`are at most ${MAX_SAMPLES} of ${MAX_SAMPLE_BYTES} bytes; a refusal changes nothing`, () => {
    const { samples } = aBrowser();
    const json = JSON.stringify('ä'.repeat((MAX_SAMPLE_BYTES - 2) / 2));
    for (let n = 0; n < MAX_SAMPLES; n += 1) samples.save('dc_a', { name: `s${n}`, json });
    expect(() => samples.save('dc_a', { name: 'more', json: '{}' })).toThrow('Delete one first.');
    samples.save('dc_a', { name: 's0', json: '{}' });
    expect(() => samples.save('dc_a', { name: 's0', json: `${json} ` })).toThrow('at most 64 KB');
    expect(() => samples.save('dc_b', { name: ' ', json: '{}' })).toThrow('enter a name');
    expect(() => samples.save('dc_b', { name: 'x'.repeat(61), json: '{}' })).toThrow('at most 60');
    expect(samples.read('dc_a')).toHaveLength(MAX_SAMPLES);
    expect(samples.read('dc_b')).toEqual([]);
  });

  test('a browser without room says so and keeps those before; a text of another program counts as none', () => {
    const { items, samples } = aBrowser(100);
    samples.save('dc_a', { name: 'one', json: '{}' });
    expect(() => samples.save('dc_a', { name: 'two', json: `"${'x'.repeat(100)}"` })).toThrow('no room');
    expect(samples.read('dc_a').map(({ name }) => name)).toEqual(['one']);
    for (const text of ['{', '{"a":1}', '[1,["a"],["b",2]]']) {
      items.set('tributary.sample.dc_a', text);
      expect(samples.read('dc_a')).toEqual([]);
    }
  });

  test('stay for their user, and end when another one signs in', () => {
    const { samples, items } = aBrowser();
    samples.keepFor('u_one');
    samples.save('dc_a', { name: 'one', json: '{}' });
    samples.keepFor('u_one');
    expect(samples.read('dc_a')).toHaveLength(1);
    samples.keepFor('u_two');
    expect(samples.read('dc_a')).toEqual([]);
    expect([...items.values()]).toEqual(['u_two']);
  });

  test('tell their listeners when they change', () => {
    const { samples } = aBrowser();
    let calls = 0;
    const stop = samples.subscribe(() => (calls += 1));
    samples.save('dc_a', { name: 'one', json: '{}' });
    samples.remove('dc_a', 'one');
    samples.clear();
    stop();
    samples.save('dc_a', { name: 'one', json: '{}' });
    expect(calls).toBe(3);
  });
});

test('a filter accepts samples as the service would; a pattern that is none accepts nothing', () => {
  const samples = [
    { name: 'paid', json: '{"status":"paid","total":[{"n":5}]}' },
    { name: 'open', json: '{"status":"open"}' },
  ];
  expect(acceptedSamples(samples, '{"status":["paid"]}')).toEqual(['paid']);
  expect(acceptedSamples(samples, '{"total":{"n":[{"numeric":[">",4]}]}}')).toEqual(['paid']);
  expect(acceptedSamples(samples, '{"status":["refunded"]}')).toEqual([]);
  expect(acceptedSamples(samples, '{"status":"paid"}')).toBeUndefined();
});
