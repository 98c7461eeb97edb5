import { describe, expect, test } from 'vitest';
import { placeholderProblem } from '../../../../../shared/domain/oauth/provider-address.ts';

const problem = (address: string, ...bounded: string[]) =>
  placeholderProblem(address, (name) => bounded.includes(name));

describe('a user cannot choose the host that gets the secret of the client', () => {
  test.each([
    'https://{host}/token',
    'https://{host}',
    'https://{host}.',
    'https://{host}:8443/token',
    'HTTPS://{host}?a=b',
    'https://{a}.{b}/token',
    'https://{a}{b}/token',
    'https://x{a}/token',
  ])('%s is a placeholder as its whole host, whatever bounds it', (address) => {
    expect(problem(address)).toMatch(/whole host/);
    expect(problem(address, 'host', 'a', 'b')).toMatch(/whole host/);
  });

  test.each([
    ['https://{shop}.com/token', 'shop'],
    ['https://accounts.provider.{tld}/token', 'tld'],
    ['https://accounts.{domain}/token', 'domain'],
    ['https://login.x{a}.example/token', 'a'],
    ['https://10.0.0.{n}/token', 'n'],
  ])('%s has no fixed domain, unless its placeholder is bounded', (address, name) => {
    expect(problem(address)).toContain(`{${name}}, or get its value by --parameter ${name}=…`);
    expect(problem(address, name)).toBeUndefined();
  });

  test.each([
    'https://{shop}.myshopify.com/token',
    'https://login-{region}.provider.example/{tenant}/token',
    'https://provider.example/{tenant}',
    'https://provider/{tenant}',
    'http://127.0.0.1:8080/{tenant}/token?a={b}',
    'http://[::1]:8080/{tenant}',
  ])('%s is taken', (address) => expect(problem(address)).toBeUndefined());
});
