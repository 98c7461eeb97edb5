import { describe, expect, test } from 'vitest';
import { KEPT_HEADER_BYTES, keptHeaders, MASKED } from '../../../../../shared/domain/delivery/kept-headers.ts';

const sizeOf = (kept: readonly (readonly string[])[]): number => Buffer.byteLength(kept.flat().join(''));

describe('the headers of a response that an attempt keeps', () => {
  test('begin with the location, and keep their order', () => {
    const received = { server: 'shop', 'retry-after': '120', location: 'https://shop.test/new' };
    expect(keptHeaders(received, [])).toEqual([
      ['location', 'https://shop.test/new'],
      ['server', 'shop'],
      ['retry-after', '120'],
    ]);
  });

  test('keep a name that came twice', () => {
    expect(keptHeaders({ link: ['<a>', '<b>'] }, [])).toEqual([
      ['link', '<a>'],
      ['link', '<b>'],
    ]);
  });

  test.each([
    'set-cookie',
    'authorization',
    'proxy-authorization',
    'x-hub-signature-256',
    'x-csrf-token',
    'X-Api-Key',
    'x-client-secret',
  ])('mask the value of %s', (name) => {
    expect(keptHeaders({ [name]: 'a1b2c3d4' }, [])).toEqual([[name, MASKED]]);
  });

  test('mask what the request had in custom headers or as its signature, wherever it is', () => {
    const sent = [
      ...['content-type', 'application/json', 'webhook-signature', 'v1,c2lnbmF0dXJlMQ== v1,c2lnbmF0dXJlMg=='],
      ...['authorization', 'Bearer s3cr3t-of-owner', 'x-team', 'blue'],
    ];
    const received = {
      location: 'https://shop.test/?key=s3cr3t-of-owner',
      'x-echo': 'Bearer s3cr3t-of-owner',
      'x-sign': 'seen v1,c2lnbmF0dXJlMg==',
      'x-group': 'blue',
      'x-colours': 'blue, red',
      'content-type': 'application/json',
    };
    expect(keptHeaders(received, sent)).toEqual([
      ['location', MASKED],
      ['x-echo', MASKED],
      ['x-sign', MASKED],
      ['x-group', MASKED],
      ['x-colours', 'blue, red'],
      ['content-type', 'application/json'],
    ]);
  });

  test('take at most 1 KB, one value at most half of it, and the location first', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x-${n}`, 'é'.repeat(50)]));
    const kept = keptHeaders({ ...many, location: `https://shop.test/${'é'.repeat(2_000)}` }, []);
    expect(kept[0]?.[1]).toMatch(/^https:\/\/shop\.test\/é+…$/);
    expect(Buffer.byteLength(kept[0]?.[1] ?? '')).toBeLessThanOrEqual(515);
    expect(kept.length).toBeGreaterThan(3);
    expect(sizeOf(kept)).toBeLessThanOrEqual(KEPT_HEADER_BYTES);
  });

  test('are looked for among the first 64, so that tens of thousands take no time', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x${n}`, '1']));
    expect(keptHeaders({ ...many, location: '/' }, [])).toHaveLength(64);
  });

  test('keep later ones that fit after one that does not', () => {
    const long = 'x'.repeat(510);
    expect(keptHeaders({ a: long, b: long, c: 'short' }, []).map(([name]) => name)).toEqual(['a', 'b']);
    expect(keptHeaders({ a: long, b: 'x'.repeat(400), c: long, d: 'short' }, []).map(([name]) => name)).toEqual([
      'a',
      'b',
      'd',
    ]);
  });
});
