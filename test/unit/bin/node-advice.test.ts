import { expect, test } from 'vitest';
import { nodeAdvice } from '../../../bin/node-advice.ts';

test.each(['20.19.0', '20.20.2', '21.7.3', '23.11.1', '25.9.0'])('Node %s gets no fixes any more', (version) => {
  expect(nodeAdvice(version)).toContain(`Node ${version} gets no security fixes since 20`);
});

test.each([
  ['22.13.0', '22.23.4'],
  ['22.23.3', '22.23.4'],
  ['24.9.0', '24.22.1'],
  ['24.22.0', '24.22.1'],
  ['26.12.0', '26.12.1'],
])('Node %s has a known hole that %s has not', (version, fixed) => {
  expect(nodeAdvice(version)).toMatch(
    new RegExp(`^Node ${version} has a known hole in its permission model .* Use Node ${fixed} or later: https://`),
  );
});

test.each(['22.23.4', '22.24.0', '24.22.1', '24.100.0', '26.12.1', '26.13.0', '28.0.0'])(
  'nothing is said about Node %s',
  (version) => expect(nodeAdvice(version)).toBeUndefined(),
);

test.each(['20.20.2', '24.9.0'])('the advice about Node %s is one line', (version) => {
  expect(nodeAdvice(version)).not.toContain('\n');
});
