import { expect, test } from 'vitest';
import { authorizationOf, type Credentials, signatureOf, signatureProblem } from '../../../programs/compat/oauth1.ts';
import type { Call } from '../../../programs/compat/stand-in.ts';

const credentials: Credentials = {
  consumer: { key: 'dpf43f3p2l4k3l03', secret: 'kd94hf93k423kf44' },
  token: { key: 'nnch734d00sl2jdk', secret: 'pfkkdhi9sl3r4s00' },
};

test('a request is signed as in the example of RFC 5849, 1.2', () => {
  const parameters: [string, string][] = [
    ['file', 'vacation.jpg'],
    ['size', 'original'],
    ['oauth_consumer_key', 'dpf43f3p2l4k3l03'],
    ['oauth_token', 'nnch734d00sl2jdk'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '137131202'],
    ['oauth_nonce', 'chapoH'],
  ];
  const request = { method: 'GET', url: 'http://photos.example.net/photos', parameters };
  expect(signatureOf(request, credentials)).toBe('MdpQcU8iPSUjWoN/UDMsK2sui9I=');
});

test('a signed request is accepted once; a changed, old or foreign one is refused', () => {
  const query = { q: "ä & b!*'()", empty: '' };
  const url = `https://api.test/1.1/search?${new URLSearchParams(query).toString()}`;
  const call = (authorization: string, more: Partial<Call> = {}): Call => ({
    host: 'api.test',
    method: 'GET',
    path: '/1.1/search',
    query,
    headers: { authorization },
    text: '',
    body: '',
    ...more,
  });
  const signed = authorizationOf({ method: 'GET', url }, credentials);
  const problem = (one: Call) => signatureProblem(one, credentials);
  expect(problem(call(signed, { query: { ...query, q: 'other' } }))).toBe('its signature is wrong');
  expect(problem(call(signed, { method: 'POST' }))).toBe('its signature is wrong');
  expect(problem(call(signed, { path: '/1.1/other' }))).toBe('its signature is wrong');
  expect(problem(call(''))).toBe('it is not signed');
  expect(problem(call(signed.replace(/oauth_timestamp="\d+"/, 'oauth_timestamp="1"')))).toBe('it is of another time');
  const another = { ...credentials, token: { ...credentials.token, secret: 'guessed' } };
  expect(problem(call(authorizationOf({ method: 'GET', url }, another)))).toBe('its signature is wrong');
  expect(problem(call(signed))).toBeUndefined();
  expect(problem(call(signed))).toBe('its nonce is not new');
});
