import { expect, test } from 'vitest';
import { readyLine } from '../../../bin/ready-line.ts';

const line = (key: { newKey?: string; hasGivenKey: boolean }) =>
  readyLine({
    url: 'http://127.0.0.1:3000',
    ingressUrl: 'http://127.0.0.1:3001',
    publicUrl: undefined,
    isPaused: false,
    isolation: undefined,
    newKey: undefined,
    ...key,
  });

test.each([
  ['the key that a first start makes', { newKey: 'k', hasGivenKey: false }, 'API key of admin: k'],
  ['a key of the environment', { hasGivenKey: true }, 'API key of admin: the one in API_KEY'],
  [
    'how to get a key that an earlier start made',
    { hasGivenKey: false },
    'for a new API key run tributary admin users rotate-key',
  ],
])('the ready line tells %s', (_name, key, end) => {
  expect(line(key)).toBe(
    `Ready at http://127.0.0.1:3000/v1, ingress at http://127.0.0.1:3001, console at http://127.0.0.1:3000/console, ${end}\n`,
  );
});
