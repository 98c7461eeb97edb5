import { expect, test } from 'vitest';
import { encodedBody } from '../../../../shared/http/encoded-body.ts';

const LAMBDA_LIMIT = 6_291_556;

test.each(['x', '"', '\u0000', 'ä', '💩'])('the longest body of %j fits the response of a function', (character) => {
  const text = character.repeat(4_500_000 / Buffer.byteLength(character));
  const { body, isBase64Encoded } = encodedBody(text);
  expect(Buffer.byteLength(JSON.stringify(body)) < LAMBDA_LIMIT - 200_000).toBe(true);
  expect(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() === text).toBe(true);
});

test('a text stays a text where that is shorter', () => {
  expect(encodedBody('x'.repeat(200_000)).isBase64Encoded).toBe(false);
  expect(encodedBody('"').isBase64Encoded).toBe(false);
});
