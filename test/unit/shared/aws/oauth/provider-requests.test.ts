import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProviderFetch } from '../../../../../shared/aws/oauth/provider-fetch.ts';
import { createProviderRequests } from '../../../../../shared/aws/oauth/provider-requests.ts';
import { createAgent } from '../../../../../shared/aws/deliver-http.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import { OAUTH_PROVIDERS } from '../../../../../shared/domain/oauth/providers.ts';
import type { Provider, ResolvedClient } from '../../../../../shared/domain/oauth/resolved-client.ts';
import { textAt } from '../../../../../shared/domain/oauth/value-at.ts';
import { type Received, Receiver } from '../../../../support/receiver.ts';
import { sentOf, STAND_INS } from './stand-ins.ts';
import { closeServer } from '../../../../support/close-server.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const agent = createAgent({ allowPrivate: true, allowList: [] });
const requests = createProviderRequests(createProviderFetch(agent), () => NOW);

let provider: Receiver;
beforeEach(async () => {
  provider = await Receiver.start();
});
afterEach(() => provider.stop());

const PLAIN: Omit<Provider, 'token'> = {
  authorization: 'https://provider.example/authorize',
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'S256',
  tokenAuth: 'post',
  quirks: [],
};

const clientOf = (changes: Partial<Provider> = {}): ResolvedClient => ({
  ownerId: UserId.parse('u_1'),
  app: 'acme',
  clientId: 'the-client_id.1',
  clientSecret: 'p+s/e=c&r t',
  provider: {
    ...PLAIN,
    token: `${provider.url}/token`,
    identity: { address: `${provider.url}/me` },
    revocation: `${provider.url}/revoke`,
    ...changes,
  },
});

const CODE = { code: 'the-code', redirectUri: 'http://127.0.0.1/connect/callback', verifier: 'v'.repeat(43) };
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const TOKEN = { access_token: 'at-1', token_type: 'Bearer' };

describe.each(Object.entries(STAND_INS))('%s', (name, standIn) => {
  const entry = OAUTH_PROVIDERS.find((each) => each.name === name || name in each.apps);
  if (!entry) throw new Error(`No entry for ${name}`);
  const clientHere = () =>
    clientOf({
      ...entry,
      token: `${provider.url}/token`,
      ...(entry.identity && { identity: { ...entry.identity, address: `${provider.url}/me` } }),
      ...(entry.revocation && { revocation: `${provider.url}/revoke` }),
    });

  test('takes a code in its form, and its response gives tokens, lifetime, scopes and fields', async () => {
    provider.respond = () => json(standIn.token);
    const verifier = entry.pkce === 'S256' ? CODE.verifier : undefined;
    const outcome = await requests.exchange(clientHere(), { ...CODE, verifier });
    const { uid, ...expected } = standIn.expected;
    expect(outcome).toMatchObject({ kind: 'tokens', tokens: { fields: {}, ...expected } });
    const [request] = provider.received;
    expect(request && standIn.sends(request)).toEqual(sentOf(entry.tokenAuth, verifier, entry.tokenParameters ?? {}));
    if (uid === undefined) return;
    provider.respond = () => json(standIn.identity ?? {});
    const identity = await requests.identity(clientHere(), expected.accessToken);
    const found = outcome.kind === 'tokens' ? outcome.tokens.uid : undefined;
    expect(found ?? (identity?.kind === 'identity' ? identity.uid : undefined)).toBe(uid);
  });

  test('a void refresh token is told from every other refusal', async () => {
    provider.respond = () => json(standIn.voided.body, standIn.voided.status);
    expect((await requests.refresh(clientHere(), 'rt-1')).kind).toBe('void');
    provider.respond = () => json({ ok: false, error: 'temporarily_unavailable' }, 400);
    expect((await requests.refresh(clientHere(), 'rt-1')).kind).toBe('passing');
  });
});

describe('a renewal', () => {
  test('goes to the address of renewals with the refresh token; a response without one keeps the old', async () => {
    provider.respond = () => json({ ...TOKEN, expires_in: '60' });
    const client = clientOf({ refresh: `${provider.url}/renew`, tokenParameters: { expiring: '1' } });
    expect(await requests.refresh(client, 'rt-1')).toEqual({
      kind: 'tokens',
      tokens: { accessToken: 'at-1', expiresInMs: 60_000, fields: {} },
    });
    const [request] = provider.received;
    expect(request?.url).toMatch(/\/renew$/);
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'rt-1',
      client_id: 'the-client_id.1',
      client_secret: 'p+s/e=c&r t',
    });
  });

  test.each([
    ['status 503', json('', 503, { 'retry-after': '90' }), /status 503/, 90_000],
    ['too many requests', json({ error: 'slow_down' }, 429, { 'retry-after': '7' }), /\(status 429\)/, 7_000],
    ['invalid_client', json({ error: 'invalid_client' }, 401), /admin oauth-clients add --app acme/, undefined],
    ['unauthorized_client', json({ error: 'unauthorized_client' }, 400), /admin oauth-clients add/, undefined],
    ['no JSON', json('<html>'), /without a token/, undefined],
    ['JSON without a token', json({}), /without a token/, undefined],
    ['a redirect', json('', 302, { location: 'http://127.0.0.1:1/' }), /redirect/, undefined],
    ['10 MB', json({ ...TOKEN, more: 'x'.repeat(10_000_000) }), /longer than 64 KB/, undefined],
  ])('counts %s as passing, with its reason', async (_name, response, reason, retryAfterMs) => {
    provider.respond = () => response;
    const outcome = await requests.refresh(clientOf(), 'rt-1');
    expect(outcome).toMatchObject({ kind: 'passing', retryAfterMs });
    expect(outcome.kind === 'passing' && outcome.reason).toMatch(reason);
    expect(provider.received).toHaveLength(1);
  });

  test('a provider that is not there is passing', async () => {
    const client = clientOf();
    await provider.stop();
    const outcome = await requests.refresh(client, 'rt-1');
    expect(outcome).toMatchObject({ kind: 'passing', reason: expect.stringMatching(/refused/) as string });
    provider = await Receiver.start();
  });

  test('a body that ends before its length does is passing', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"access_token":"half"');
      setImmediate(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // `address()` is null only before listen.
    const { port } = server.address() as AddressInfo;
    const outcome = await requests.refresh(clientOf({ token: `http://127.0.0.1:${port}/` }), 'rt-1');
    expect(outcome.kind).toBe('passing');
    await closeServer(server);
  });

  test('a private address is refused where the network rule says so', async () => {
    const strict = createAgent({ allowPrivate: false, allowList: [] });
    const outcome = await createProviderRequests(createProviderFetch(strict), () => NOW).refresh(clientOf(), 'rt');
    expect(outcome).toMatchObject({ kind: 'passing', reason: expect.stringMatching(/loopback/) as string });
    expect(provider.received).toHaveLength(0);
    await strict.destroy();
  });

  test('a token with a control character is refused, and so is every other text of the answer that is taken', async () => {
    const fields = { team: 'token.team' };
    for (const [name, body] of [
      ['access_token', { ...TOKEN, access_token: 'at-1\r\nx-admin: 1' }],
      ['access_token', { ...TOKEN, access_token: 'at-1\u0000' }],
      ['access_token', { ...TOKEN, access_token: 'at\u0085-1' }],
      ['refresh_token', { ...TOKEN, refresh_token: 'rt\n' }],
      ['scope', { ...TOKEN, scope: 'read\u0007' }],
      ['uid', { ...TOKEN, id: '7\u001b[2J' }],
      ['team', { ...TOKEN, team: 'red\tblue' }],
    ] as const) {
      provider.respond = () => json(body);
      expect(await requests.refresh(clientOf({ fields }), 'rt-1')).toEqual({
        kind: 'passing',
        reason: `The token address of the provider answered with a token that cannot be taken: \`${name}\` has control characters.`,
      });
    }
  });
});

describe('a reason has the status and known codes, and nothing else of an answer', () => {
  const secret = 'p+s/e=c&r t';
  const inBase64 = (text: string) => Buffer.from(text).toString('base64');
  /** Everything of the request in every encoding, in the members that providers put words into. */
  const echo = ({ headers, body, url }: Received) => {
    const texts = [JSON.stringify(headers), body, `${url}?${body}`, secret];
    const forms = texts.flatMap((text) => [
      ...[text, inBase64(text), encodeURIComponent(text), JSON.stringify(text), [...text].reverse().join('')],
      Buffer.from(text).toString('hex'),
    ]);
    return forms.join(' ');
  };
  const standard = (status: number, ...codes: string[]) => `(${[`status ${status}`, ...codes].join(', ')})`;
  const asClient = (tokenAuth: Provider['tokenAuth'], name?: string): ResolvedClient => {
    const entry = OAUTH_PROVIDERS.find((each) => each.name === name);
    const { voidErrors, errorCodes, errorPattern, quirks = [] } = entry ?? {};
    return clientOf({ tokenAuth, voidErrors, errorCodes, errorPattern, quirks });
  };

  test.each(['basic', 'post', 'json', 'none'] as const)('where the client authenticates by %s', async (auth) => {
    for (const [status, error, reason] of [
      [400, 'invalid_grant', `no longer accepts this sign-in ${standard(400, 'invalid_grant')}.`],
      [401, 'invalid_client', `refuses the OAuth client ${standard(401, 'invalid_client')}: `],
      [400, 'invalid_scope', `refused the request ${standard(400, 'invalid_scope')}.`],
      [400, 'another_code', `refused the request ${standard(400)}.`],
      [500, 'server_error', `refused the request ${standard(500, 'server_error')}.`],
      [200, 'invalid_grant', `answered without a token ${standard(200, 'invalid_grant')}.`],
      [400, undefined, `refused the request ${standard(400)}.`],
    ] as const) {
      provider.respond = (_, request) => {
        const said = echo(request);
        return json(
          { error: error ?? said, error_description: said, error_uri: said, message: said, [said]: said },
          status,
          { 'x-echo': encodeURIComponent(said).slice(0, 1_000) },
        );
      };
      for (const outcome of [
        await requests.refresh(asClient(auth), `rt-1 ${secret}`),
        await requests.exchange(asClient(auth), CODE),
      ]) {
        const shown = outcome.kind === 'tokens' ? '' : outcome.reason;
        expect(shown).toContain(reason);
        expect(shown.length).toBeLessThan(160);
        expect(shown).not.toMatch(/rt-1|the-code|p\+s|%2B|cCtz|[A-Za-z0-9+/=]{40}/);
      }
    }
  });

  test('also of answers that are no JSON, or no object', async () => {
    for (const body of ['text', 'list', 'quoted'] as const) {
      provider.respond = (_, request) => {
        const said = echo(request);
        return json({ text: `<p>${said}`, list: JSON.stringify([said]), quoted: JSON.stringify(said) }[body], 400);
      };
      expect(await requests.refresh(asClient('post'), 'rt-1')).toEqual({
        kind: 'passing',
        reason: `The token address of the provider refused the request ${standard(400)}.`,
      });
    }
  });

  test('also of the identity address', async () => {
    for (const [error, codes] of [
      ['temporarily_unavailable', ['temporarily_unavailable']],
      ['at-1', []],
    ] as const) {
      provider.respond = (_, request) => json({ error, error_description: echo(request) }, 503);
      expect(await requests.identity(asClient('post'), 'at-1')).toEqual({
        kind: 'passing',
        reason: `The identity address of the provider refused the request ${standard(503, ...codes)}.`,
      });
    }
  });

  test('codes of the entry, and those of its pattern, are known', async () => {
    const reasonOf = async (name: string, body: object, status = 400) => {
      provider.respond = () => json(body, status);
      const outcome = await requests.refresh(asClient('post', name), 'rt-1');
      return outcome.kind === 'tokens' ? '' : outcome.reason;
    };
    expect(await reasonOf('github', { error: 'bad_refresh_token', error_description: secret }, 200)).toContain(
      standard(200, 'bad_refresh_token'),
    );
    expect(await reasonOf('github', { error: 'incorrect_client_credentials' }, 200)).toContain(
      standard(200, 'incorrect_client_credentials'),
    );
    const description = (text: string) => ({ error: 'invalid_grant', error_description: text });
    expect(await reasonOf('microsoft', description(`AADSTS700082: ${secret}`))).toContain(
      standard(400, 'invalid_grant', 'AADSTS700082'),
    );
    for (const text of [`${secret} AADSTS700082`, 'AADSTS', 'AADSTS12', 'AADSTS7000820000000', 'AADSTS70008x'])
      expect(await reasonOf('microsoft', description(text)), text).toContain(standard(400, 'invalid_grant'));
    expect(await reasonOf('google', description('AADSTS700082: x'))).toContain(standard(400, 'invalid_grant'));
  });
});

describe('an answer as real providers give it', () => {
  const both = async (body: unknown, { status = 200, ...changes }: Partial<Provider> & { status?: number } = {}) => {
    provider.respond = () => json(body, status);
    const client = clientOf(changes);
    const outcomes = [await requests.refresh(client, 'rt-1'), await requests.exchange(client, CODE)];
    expect(outcomes[1]).toEqual(outcomes[0]);
    return outcomes[0];
  };
  const taken = (more: object = {}) => ({
    kind: 'tokens',
    tokens: { accessToken: 'at-1', fields: {}, ...more },
  });

  test.each([200, 201, 202, 203, 226])('status %i with a token is a success', async (status) => {
    expect(await both(TOKEN, { status })).toEqual(taken());
    expect(await both({ ...TOKEN, ok: true }, { status, quirks: ['ok-false'] })).toEqual(taken());
    expect((await both({ error: 'invalid_grant' }, { status, quirks: ['error-with-status-200'] }))?.kind).toBe('void');
    for (const body of [{}, { access_token: '' }, { access_token: null }, { error: 'invalid_grant' }, []])
      expect(await both(body, { status })).toMatchObject({
        kind: 'passing',
        reason: expect.stringMatching(new RegExp(`answered without a token \\(status ${status}`)) as string,
      });
  });

  test('a token with a status of failure is none', async () => {
    for (const status of [400, 401, 500]) expect((await both(TOKEN, { status }))?.kind).toBe('passing');
  });

  test('an empty text counts as absent', async () => {
    expect(await both({ ...TOKEN, refresh_token: '', scope: '', expires_in: '', id_token: '' })).toEqual(taken());
    expect(await both({ ...TOKEN, id: '', team: '' }, { uid: 'token.id', fields: { team: 'token.team' } })).toEqual(
      taken(),
    );
    expect(await both({ ...TOKEN, token_type: '' }, { quirks: ['no-token-type'] })).toEqual(taken());
    const nested = { ok: true, authed_user: { access_token: 'at-1', refresh_token: '', expires_in: '' } };
    expect(await both(nested, { quirks: ['nested-token', 'no-token-type'] })).toEqual(taken());
  });

  test.each(['', '-1', -1, 0, '0', 'never', '1e999', null, {}, [], true, 'NaN'])(
    'a lifetime of %j is none',
    async (expires_in) => {
      expect(await both({ ...TOKEN, expires_in })).toEqual(taken());
      expect(await both({ ...TOKEN, expires_in }, { lifetime: 60 })).toEqual(taken({ expiresInMs: 60_000 }));
    },
  );

  test.each([3_600, '3600', ' 3600 ', 3_600.0])('a lifetime of %j is an hour', async (expires_in) => {
    expect(await both({ ...TOKEN, expires_in })).toEqual(taken({ expiresInMs: 3_600_000 }));
  });

  test.each([
    [{ access_token: 'at-1' }, [], '`token_type` is missing', '--quirk no-token-type'],
    [
      { ...TOKEN, token_type: 'user' },
      ['scope-list'],
      '`token_type` is not `bearer`',
      '--quirk scope-list no-token-type',
    ],
    [{ ...TOKEN, token_type: 7 }, [], '`token_type` is not `bearer`', '--quirk no-token-type'],
    [{ ...TOKEN, scope: ['a'] }, [], '`scope` is a list', '--quirk scope-list'],
    [{ authed_user: TOKEN }, [], '`access_token` is in `authed_user`', '--quirk nested-token'],
    [{ body: TOKEN }, [], '`access_token` is in `body`', '--answer body'],
    [{ n: 1, data: { list: [], token: TOKEN } }, [], '`access_token` is in `data.token`', '--answer data.token'],
    ['access_token=at-1&token_type=bearer', [], 'the response is form-encoded', '--quirk form-encoded-answer'],
    [{ ...TOKEN, access_token: 5 }, [], '`access_token` is not a string', undefined],
    [{ ...TOKEN, refresh_token: {} }, [], '`refresh_token` is not a string', undefined],
    [{ ...TOKEN, scope: {} }, [], '`scope` is not a string', undefined],
  ] as const)(
    'with a token that cannot be taken, %j, names the member and the option',
    async (body, quirks, member, option) => {
      const outcome = await both(body, { status: 201, quirks: [...quirks] });
      const mend = option === undefined ? '' : `; the operator registers the client again with \`${option}\``;
      expect(outcome).toMatchObject({
        kind: 'passing',
        reason: `The token address of the provider answered with a token that cannot be taken: ${member}${mend}.`,
      });
      if (option === undefined) return;
      const [flag, ...values] = option.split(' ');
      const changes = flag === '--answer' ? { answer: values[0] } : { quirks: values as Provider['quirks'] };
      const mended = await both(body, changes);
      if (mended?.kind === 'passing') expect(mended.reason).not.toContain(member);
      else expect(mended).toMatchObject({ kind: 'tokens', tokens: { accessToken: 'at-1' } });
    },
  );

  test('a reason names no member that repeats the request', async () => {
    const outcome = await both({ 'p+s/e=c&r t': TOKEN, ['p'.repeat(33)]: TOKEN });
    expect(outcome).toMatchObject({
      reason: expect.stringMatching(/without a token \(status 200\)\.$/) as string,
    });
  });

  test('the object of --answer has the members of the standard; an error beside it is read, too', async () => {
    const quirks: Provider['quirks'] = ['no-token-type'];
    const changes = { answer: 'body.token', quirks, fields: { status: 'token.status' } };
    const body = { status: 0, body: { token: { access_token: 'at-1', expires_in: '60', user_id: 7 } } };
    expect(await both(body, changes)).toEqual(taken({ expiresInMs: 60_000, uid: '7', fields: { status: '0' } }));
    expect((await both({ error: 'invalid_grant' }, { ...changes, status: 400 }))?.kind).toBe('void');
    expect((await both({ body: {} }, changes))?.kind).toBe('passing');
  });

  test('without a path of the login it is the first of sub, id and user_id that has a text', async () => {
    expect(await both({ ...TOKEN, sub: '', id: 5, user_id: 'u' })).toEqual(taken({ uid: '5' }));
    expect(await both({ ...TOKEN, id: 5 }, { uid: 'token.other' })).toEqual(taken());
    for (const [body, uid] of [
      [{ user_id: 'u', id: 'i', sub: 's' }, 's'],
      [{ user_id: 'u', id: 8 }, '8'],
      [{ user_id: 'u', sub: {} }, 'u'],
      [{ data: { id: 1 } }, undefined],
      [[1], undefined],
    ] as const) {
      provider.respond = () => json(body);
      expect(await requests.identity(clientOf(), 'at-1')).toEqual({ kind: 'identity', uid, fields: {} });
    }
  });
});

describe('quirks of answers', () => {
  const refresh = async (quirks: Provider['quirks'], body: unknown, changes: Partial<Provider> = {}) => {
    provider.respond = () => json(body);
    return requests.refresh(clientOf({ quirks, ...changes }), 'rt-1');
  };
  const jwt = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;

  test('an ISO time in expires_at, and the exp of a token, are the lifetime', async () => {
    expect(await refresh(['expires-at'], { ...TOKEN, expires_at: '2026-11-27T12:01:00Z' })).toMatchObject({
      tokens: { expiresInMs: 60_000 },
    });
    expect(await refresh(['expiry-in-jwt'], { ...TOKEN, access_token: jwt({ exp: NOW / 1_000 + 30 }) })).toMatchObject({
      tokens: { expiresInMs: 30_000 },
    });
    expect(await refresh(['expiry-in-jwt'], { ...TOKEN, access_token: 'no.jwt' })).toMatchObject({
      kind: 'tokens',
    });
    // A token that has expired on the way is renewed, not kept for ever.
    expect(await refresh(['expires-at'], { ...TOKEN, expires_at: '2026-11-27T11:59:00Z' })).toMatchObject({
      tokens: { expiresInMs: 1_000 },
    });
  });

  test('an error in a list is an error', async () => {
    provider.respond = () => json({ success: false, errors: [{ errorType: 'invalid_grant', message: 'x' }] }, 400);
    expect((await requests.refresh(clientOf({ quirks: ['error-in-list'] }), 'rt-1')).kind).toBe('void');
  });

  test('scopes may be a list; null is absence; 0 is a token that does not expire', async () => {
    const body = { ...TOKEN, scope: ['a', 'b'], refresh_token: null, expires_in: 0 };
    expect(await refresh(['scope-list'], body)).toEqual({
      kind: 'tokens',
      tokens: { accessToken: 'at-1', scopes: ['a', 'b'], fields: {} },
    });
  });

  test('without the quirk, a response that deviates is no success', async () => {
    expect((await refresh([], { access_token: 'at-1' })).kind).toBe('passing');
    expect((await refresh(['ok-false'], { ...TOKEN, ok: false, error: 'x' })).kind).toBe('passing');
    expect((await refresh(['ok-false'], { ok: true, ...TOKEN })).kind).toBe('tokens');
  });
});

describe('the identity address', () => {
  test('gets the access token as bearer, and its response gives uid and fields', async () => {
    provider.respond = () => json({ data: [{ id: 7 }], team: 'red' });
    const client = clientOf({
      identity: {
        address: `${provider.url}/me`,
        method: 'POST',
        headers: { 'x-version': '2' },
        body: '{"q":1}',
      },
      uid: 'identity.data.0.id',
      fields: { team: 'identity.team', instance: 'token.instance' },
    });
    expect(await requests.identity(client, 'at-1')).toEqual({
      kind: 'identity',
      uid: '7',
      fields: { team: 'red' },
    });
    expect(provider.received[0]).toMatchObject({
      body: '{"q":1}',
      headers: { authorization: 'Bearer at-1', 'x-version': '2' },
    });
  });

  test('status 401 is a refusal, with and without a challenge; anything else is passing', async () => {
    provider.respond = () => json('', 401, { 'www-authenticate': 'Bearer error="invalid_token"' });
    expect(await requests.identity(clientOf(), 'at-1')).toEqual({ kind: 'refused' });
    provider.respond = () => json('', 500);
    expect(await requests.identity(clientOf(), 'at-1')).toMatchObject({ kind: 'passing' });
  });
});

describe('a revocation', () => {
  test('sends the refresh token, as form, as JSON, or the access token as bearer', async () => {
    const tokens = { accessToken: 'at-1', refreshToken: 'rt-1' };
    await requests.revoke(clientOf(), tokens);
    await requests.revoke(clientOf({ quirks: ['json-revocation'] }), tokens);
    await requests.revoke(clientOf({ quirks: ['bearer-revocation'] }), tokens);
    const [form, jsonBody, bearer] = provider.received;
    expect(new URLSearchParams(form?.body).get('token')).toBe('rt-1');
    expect(JSON.parse(jsonBody?.body ?? '')).toMatchObject({ token: 'rt-1' });
    expect(bearer).toMatchObject({ body: '', headers: { authorization: 'Bearer at-1' } });
  });

  test('never throws', async () => {
    provider.respond = () => json('', 500);
    await requests.revoke(clientOf(), { accessToken: 'at-1' });
    const client = clientOf();
    await provider.stop();
    await requests.revoke(client, { accessToken: 'at-1' });
    provider = await Receiver.start();
  });
});

test('a path reads own members only', () => {
  expect(textAt({ token: {} }, 'token.constructor.name')).toBeUndefined();
  expect(textAt({ token: { a: [{ b: 1 }] } }, 'token.a.0.b')).toBe('1');
  expect(textAt({ token: { a: { b: {} } } }, 'token.a.b')).toBeUndefined();
});
