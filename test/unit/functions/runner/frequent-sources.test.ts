import { expect, test } from 'vitest';
import { FrequentSources } from '../../../../functions/runner/frequent-sources.ts';

test('a source is frequent if its last request came within the time after the one before', () => {
  const sources = new FrequentSources(10_000);
  sources.begin('dc_a', 0);
  expect(sources.has('dc_a')).toBe(false);
  sources.begin('dc_a', 10_000);
  expect(sources.has('dc_a')).toBe(true);
  sources.begin('dc_a', 20_001);
  expect(sources.has('dc_a')).toBe(false);
});

test('the time counts from the end of a request', () => {
  const sources = new FrequentSources(10_000);
  sources.begin('dc_a', 0);
  sources.end('dc_a', 60_000);
  sources.begin('dc_a', 65_000);
  expect(sources.has('dc_a')).toBe(true);
});

test('a source that did not run for longer is forgotten when another one runs', () => {
  const sources = new FrequentSources(10_000);
  sources.begin('dc_a', 0);
  sources.begin('dc_a', 1);
  sources.begin('dc_b', 10_002);
  expect(sources.has('dc_a')).toBe(false);
});
