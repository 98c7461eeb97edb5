import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { SignInId } from '../../shared/domain/id.ts';
import type { ApiClient } from './api-client.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { BrowserClient, type Page } from './browser-client.ts';

/** Connects an account as its user does in a browser. Returns its id. */
export async function signInAt(
  provider: AuthorizationServer,
  api: ApiClient,
  body: Record<string, unknown>,
): Promise<string> {
  const { body: response, text } = await api.post('/accounts/connect', body);
  const { url, attempt_id: id } = response.data ?? expect.fail(text);
  const browser = new BrowserClient();
  const opened = await browser.get(url);
  await browser.submit(await browser.get(provider.consent(opened.location)));
  const { body: state } = await api.get(`/accounts/connect/${id}`);
  expect(state.data.status, JSON.stringify(state.data)).toBe('connected');
  return state.data.account_id as string;
}

/** The authorization whose yes a page asks for. */
export function authorizationIn({ text }: Page) {
  const [, state = ''] = /name="state" value="([^"]+)"/.exec(text) ?? [];
  return {
    attemptId: SignInId.parse(`ca_${state.slice(0, 24)}`),
    stateHash: createHash('sha256').update(state).digest('hex'),
  };
}
