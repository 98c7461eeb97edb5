import { expect, test } from 'vitest';
import { EarlierCredentials } from '../../../../../shared/runtime/redaction/earlier-credentials.ts';

const values = (...credentials: string[]) => new Set(credentials);

test('credentials that were replaced are added to those that replace them', () => {
  const earlier = new EarlierCredentials();
  expect([...earlier.addTo(values('own', 'token-1'))]).toEqual(['own', 'token-1']);
  expect([...earlier.addTo(values('own', 'token-2'))]).toEqual(['own', 'token-2', 'token-1']);
  expect([...earlier.addTo(values())]).toEqual(['token-1', 'own', 'token-2']);
});

test('at most 20 are kept, the newest', () => {
  const earlier = new EarlierCredentials();
  for (let n = 0; n < 50; n += 1) earlier.addTo(values(`token-${n}`));
  expect([...earlier.addTo(values('newest'))]).toEqual([
    'newest',
    ...Array.from({ length: 20 }, (_, n) => `token-${n + 30}`),
  ]);
});

test('they have at most 32,768 characters together', () => {
  const earlier = new EarlierCredentials();
  for (const letter of ['a', 'b', 'c', 'd']) earlier.addTo(values(letter.repeat(16_384)));
  expect([...earlier.addTo(values('newest'))].map((each) => each.slice(0, 6))).toEqual(['newest', 'cccccc', 'dddddd']);
  earlier.addTo(values('x'.repeat(60_000)));
  expect([...earlier.addTo(values('newest'))]).toEqual(['newest']);
});
