import { describe, expect, test } from 'vitest';
import { jsonBodyText, jsonObject } from '../../../../shared/http/json-body.ts';

const request = (body: string) => ({
  body,
  isBase64Encoded: false,
  headers: { 'content-type': 'application/json' },
});
const members = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',');

describe('a body with very many values', () => {
  const flat = `{${members(95_000)}}`;

  test('is refused before it is parsed, with a sentence, unless it is an event', () => {
    const tooMany = { kind: 'invalid', code: 'too_many_values' };
    expect(() => jsonBodyText(request(flat), { isEvent: false })).toThrow(expect.objectContaining(tooMany));
    expect(() => jsonBodyText(request(flat), { isEvent: false })).toThrow(/more than 50000 values/);
    expect(jsonBodyText(request(flat), { isEvent: true })).toBe(flat);
    const nested = `{"configured_props":{"list":[${'[],'.repeat(49_999)}1]}}`;
    expect(() => jsonBodyText(request(nested), { isEvent: false })).toThrow(expect.objectContaining(tooMany));
  });

  test('may have texts with any number of commas and brackets', () => {
    const code = JSON.stringify({ component_code: '[{,}]'.repeat(60_000) });
    expect(jsonBodyText(request(code), { isEvent: false })).toBe(code);
  });

  test('is not copied after parsing', () => {
    const value: unknown = JSON.parse(flat);
    expect(jsonObject(value)).toBe(value);
  });
});

describe('a body with a Content-Encoding', () => {
  const encoded = (encoding: string) => ({
    ...request('{}'),
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
  });

  test.each(['gzip', 'br', 'identity, gzip'])('%s is 415', (encoding) => {
    expect(() => jsonBodyText(encoded(encoding), { isEvent: false })).toThrow(
      expect.objectContaining({ kind: 'unsupported_media_type' }),
    );
  });

  test.each(['', 'identity', ' Identity '])('%j is read', (encoding) => {
    expect(jsonBodyText(encoded(encoding), { isEvent: false })).toBe('{}');
  });
});
