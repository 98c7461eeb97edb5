import { expect, test } from 'vitest';
import { SignInAddress } from '../../../../../bin/tributary/session/response-schemas.ts';

const address = (url: string) => ({ url, expires_at_ms: 0, attempt_id: 'ca_1' });

test.each(['file:///tmp/x.desktop', '--help', '/usr/bin/true', 'C:\\tools\\x.exe', 'javascript:alert(1)', 'httpx://a'])(
  'the address of a sign-in is opened only if it is a web address: %s is none',
  (url) => {
    expect(SignInAddress.safeParse(address(url)).success).toBe(false);
  },
);

test.each([
  'https://tributary.example.com/connect/x',
  'http://127.0.0.1:3000/connect/x',
  'http://[::1]:3000/connect/x',
  'http://localhost:3000/connect/x',
  'http://my_host:3000/connect/x',
])('the address of a sign-in may be %s', (url) => {
  expect(SignInAddress.parse(address(url)).url).toBe(url);
});
