import { expect, test } from 'vitest';
import { MASKED } from '../../../../../shared/domain/delivery/kept-headers.ts';
import { redirectOrigin, redirectTarget } from '../../../../../shared/domain/delivery/redirect-target.ts';

const redirectTo = (location: string, status = 302) => redirectTarget({ status, headers: [['location', location]] });

test.each([
  ['https://shop.example/hooks/', 'https://shop.example/hooks/'],
  ['https://ada:secret@shop.example/hooks?token=secret#secret', 'https://shop.example/hooks'],
  ['/login?next=/hooks&token=secret', '/login'],
  ['//shop.example:8443/hooks', 'http://shop.example:8443/hooks'],
  ['https://chat.example/services/T00/B1234567890abcdef', 'https://chat.example/services/T00/…'],
  ['https://chat.example/eyJhbGciOiJIUzI1NiJ9.e30.c2ln/x', 'https://chat.example/…/x'],
  ['https://chat.example/hooks;key=short', 'https://chat.example/…'],
  ['https://shop.example/a\u0000b\nc', 'https://shop.example/a%00bc'],
])('a redirect to %s is named without what may be secret', (location, expected) => {
  expect(redirectTo(location)).toBe(expected);
});

test('a long address is cut', () => {
  expect(redirectTo(`https://shop.example/${'ab/'.repeat(200)}`)).toHaveLength(200);
});

test.each(['mailto:ada@shop.example', 'javascript:alert(1)', 'https://[', MASKED])(
  '%s names no address',
  (location) => {
    expect(redirectTo(location)).toBeUndefined();
  },
);

test('other responses name no address', () => {
  expect(redirectTo('https://shop.example/', 200)).toBeUndefined();
  expect(redirectTarget({ status: 302, headers: [] })).toBeUndefined();
  expect(redirectTarget({})).toBeUndefined();
});

test.each([
  ['https://moved.example/reset/abcdef', 'https://moved.example'],
  ['http://127.0.0.1:4000/…', 'http://127.0.0.1:4000'],
  ['/login', undefined],
  [undefined, undefined],
])('a log has only the origin of %s', (target, origin) => {
  expect(redirectOrigin(target)).toBe(origin);
});
