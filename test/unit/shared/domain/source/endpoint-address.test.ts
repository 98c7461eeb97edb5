import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { endpointAddress, endpointLabelReader } from '../../../../../shared/domain/source/endpoint-address.ts';
import { newEndpointId } from '../../../../../shared/service/sources/create-source.ts';

const WILDCARD = 'https://*.Hooks.example.com';

describe('the address of an endpoint', () => {
  test.each([
    [WILDCARD, 'origin', 'https://a1.Hooks.example.com'],
    [WILDCARD, 'path', 'https://Hooks.example.com/a1'],
    ['http://*.localhost:3001', 'origin', 'http://a1.localhost:3001'],
    ['https://in.example.com/base', 'path', 'https://in.example.com/base/a1'],
    ['https://in.example.com', 'origin', 'https://in.example.com/a1'],
  ] as const)('below %s as %s is %s', (ingressUrl, form, address) => {
    expect(endpointAddress(ingressUrl, 'a1', form)).toBe(address);
  });

  test('has an id that is a label of a host as it is', () => {
    const id = newEndpointId({ random: randomBytes });
    expect(id).toMatch(/^[a-z0-9]{1,63}$/);
    const { hostname } = new URL(endpointAddress(WILDCARD, id, 'origin'));
    expect(endpointLabelReader(WILDCARD)(hostname)).toBe(id);
  });
});

describe('the label of a host', () => {
  test.each([
    ['a1.hooks.example.com', 'a1'],
    ['A1.HOOKS.Example.Com', 'a1'],
    ['a1.hooks.example.com:8443', 'a1'],
    ['a1.hooks.example.com.', 'a1'],
    ['a1.hooks.example.com.:443', 'a1'],
    ['a.b.hooks.example.com', 'a.b'],
    ['hooks.example.com', undefined],
    ['evilhooks.example.com', undefined],
    ['a1.hooks.example.com.evil.test', undefined],
    ['127.0.0.1:3001', undefined],
    ['[::1]:3001', undefined],
    [undefined, undefined],
  ])('%s is %s', (host, label) => {
    expect(endpointLabelReader(WILDCARD)(host)).toBe(label);
  });

  test('is read from no host where the ingress has no wildcard', () => {
    expect(endpointLabelReader('https://hooks.example.com')('a1.hooks.example.com')).toBeUndefined();
  });
});
