import { describe, expect, test } from 'vitest';
import { OAuthClientId } from '../../../../../shared/domain/id.ts';
import { tokenState } from '../../../../../shared/domain/oauth/access-token.ts';
import type { OAuthGrant } from '../../../../../shared/domain/account/grant.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const RENEWAL = { dataKey: '', nonce: '', text: '' };

const grant = (more: Partial<OAuthGrant> = {}): OAuthGrant => ({
  client: OAuthClientId.parse('oc_1'),
  clientId: 'client',
  scopes: [],
  parameters: {},
  providedFields: [],
  status: 'connected',
  connectedAt: 0,
  renewedAt: NOW - 30 * MINUTE,
  expiresAt: NOW + 30 * MINUTE,
  renewal: RENEWAL,
  ...more,
});
const { renewal: _renewal, expiresAt: _expiresAt, ...endless } = grant();
const { renewal: __renewal, ...withoutRefreshToken } = grant();
const stateOf = (tokens: OAuthGrant, callMs = MINUTE) => tokenState(tokens, { now: NOW, callMs });

describe('an access token is usable', () => {
  test('while it lives for the time limit of the call and 60 s', () => {
    expect(stateOf(grant({ expiresAt: NOW + 2 * MINUTE }))).toBe('usable');
    expect(stateOf(grant({ expiresAt: NOW + 2 * MINUTE - 1 }))).toBe('renew');
  });

  test('or for half its lifetime, if that is less', () => {
    const short = { renewedAt: NOW - 30_000, expiresAt: NOW + 30_000 };
    expect(stateOf(grant(short))).toBe('usable');
    expect(stateOf(grant({ ...short, expiresAt: NOW + 29_999 }))).toBe('renew');
  });

  test('without an end, for ever', () => {
    expect(stateOf(endless)).toBe('usable');
  });

  test('to its end, without a refresh token', () => {
    expect(stateOf({ ...withoutRefreshToken, expiresAt: NOW + 1 })).toBe('usable');
    expect(stateOf({ ...withoutRefreshToken, expiresAt: NOW })).toBe('renew');
  });
});

describe('a renewal comes first', () => {
  test('after a status 401, lifetime or not, at most once per 5 min', () => {
    expect(stateOf(grant({ isRefused: true }))).toBe('renew');
    expect(stateOf({ ...endless, isRefused: true })).toBe('renew');
    expect(stateOf(grant({ isRefused: true, refusalRenewedAt: NOW - 5 * MINUTE }))).toBe('renew');
    expect(stateOf(grant({ isRefused: true, refusalRenewedAt: NOW - 5 * MINUTE + 1 }))).toBe('usable');
  });

  test('for no account that needs a new sign-in', () => {
    expect(stateOf(grant({ status: 'needs_reconnect' }))).toBe('needs_reconnect');
    expect(stateOf(grant({ status: 'needs_reconnect', isRefused: true, expiresAt: 0 }))).toBe('needs_reconnect');
  });
});
