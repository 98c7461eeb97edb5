import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Mirror } from '../support/mirror.ts';

let mirror: Mirror;
beforeAll(async () => {
  mirror = await Mirror.open();
});
afterAll(() => mirror.close());

describe('the path is decoded once', () => {
  test.each([
    ['/a%2Fb/c%20d', '/a/b/c d'],
    ['/%CE%BB', '/λ'],
    ['/a%2520b', '/a%20b'],
    ['/a%3Fb', '/a?b'],
    ['/%zz/%ff/%20', '/%zz/%ff/ '],
  ])('%s is %s', async (path, expected) => {
    expect((await mirror.seen({}, path)).path).toBe(expected);
  });
});
