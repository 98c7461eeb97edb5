import { expect, test } from 'vitest';
import { runErrorOf } from '../../../../shared/runtime/thrown.ts';

test.each([
  ['status', { status: 401 }, 401],
  ['statusCode', { statusCode: 404 }, 404],
  ['response.status, as axios has it', { response: { status: 503 } }, 503],
  ['no status', {}, undefined],
  ['a status that is none of HTTP', { status: 4_010 }, undefined],
  ['a status that is a text', { status: '401' }, undefined],
  ['a status outside and one of HTTP in its response', { status: 0, response: { status: 401 } }, 401],
])('an error with %s', (_, members, status) => {
  expect(runErrorOf(Object.assign(new Error('x'), members)).status).toBe(status);
});
