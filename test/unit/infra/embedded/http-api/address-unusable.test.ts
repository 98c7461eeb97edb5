import { expect, test } from 'vitest';
import { addressUnusable } from '../../../../../infra/embedded/http-api/address-unusable.ts';

const refusal = (code: string) =>
  addressUnusable(Object.assign(new Error(code), { code }), { api: 'ingress', host: '0.0.0.0', port: 80 });

test.each([
  ['EADDRINUSE', 'The port 80 of 0.0.0.0 is taken.', 'ingress'],
  ['EACCES', 'The port 80 of 0.0.0.0 may not be used by this process.', 'ingress'],
  ['EADDRNOTAVAIL', 'The host 0.0.0.0 is not an address of this machine.', undefined],
])('%s names the port or the host that cannot be used', (code, message, api) => {
  expect(refusal(code)).toMatchObject({ message, api });
});

test('other errors are not about the address', () => {
  expect(refusal('EMFILE')).toBeUndefined();
});
