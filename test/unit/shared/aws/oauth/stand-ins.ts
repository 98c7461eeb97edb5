import type { Received } from '../../../../support/receiver.ts';

/** Shapes of the responses of providers, from their documentation. */
export interface StandIn {
  /** The token answer to a good code. */
  token: object | string;
  /** The token answer to a refresh token that is void. */
  voided: { status: number; body: object };
  /** The form of its token requests. */
  sends: (request: Received) => unknown;
  identity?: object;
  expected: {
    accessToken: string;
    refreshToken?: string;
    expiresInMs?: number;
    scopes?: string[];
    uid?: string;
    fields?: Record<string, string>;
  };
}

const form = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body));
const basic = ({ headers }: Received) => Buffer.from(String(headers.authorization).slice(6), 'base64').toString();

const BY_FORM = { client_id: 'the-client_id.1', client_secret: 'p+s/e=c&r t' };
/** Form-encoded, as RFC 6749 demands of Basic: `-`, `_` and `.` stay. */
const BY_BASIC = 'the-client_id.1:p%2Bs%2Fe%3Dc%26r+t';
const CODE = {
  grant_type: 'authorization_code',
  code: 'the-code',
  redirect_uri: 'http://127.0.0.1/connect/callback',
};
const invalidGrant = { status: 400, body: { error: 'invalid_grant', error_description: 'Token is gone' } };

export const STAND_INS: Readonly<Record<string, StandIn>> = {
  github: {
    token:
      'access_token=gho_1&expires_in=28800&refresh_token=ghr_1&refresh_token_expires_in=15897600&scope=repo%2Cread%3Aorg&token_type=bearer',
    voided: {
      status: 200,
      body: { error: 'bad_refresh_token', error_description: 'The refresh token is bad' },
    },
    sends: (request) => form(request),
    identity: { login: 'octocat', id: 583231 },
    expected: {
      accessToken: 'gho_1',
      refreshToken: 'ghr_1',
      expiresInMs: 28_800_000,
      scopes: ['repo', 'read:org'],
      uid: '583231',
    },
  },
  slack: {
    token: {
      ok: true,
      app_id: 'A1',
      authed_user: {
        id: 'U1',
        scope: 'channels:read,users:read',
        access_token: 'xoxe.xoxp-1',
        refresh_token: 'xoxe-1',
        expires_in: 43200,
        token_type: 'user',
      },
      team: { id: 'T1' },
    },
    voided: { status: 200, body: { ok: false, error: 'invalid_refresh_token' } },
    sends: (request) => form(request),
    identity: { ok: true, user_id: 'U1' },
    expected: {
      accessToken: 'xoxe.xoxp-1',
      refreshToken: 'xoxe-1',
      expiresInMs: 43_200_000,
      scopes: ['channels:read', 'users:read'],
      uid: 'U1',
    },
  },
  google: {
    token: {
      access_token: 'ya29.1',
      expires_in: 3599,
      refresh_token: '1//1',
      scope: 'openid https://www.googleapis.com/auth/gmail.readonly',
      token_type: 'Bearer',
      id_token: 'eyJhbGciOiJub25lIn0.e30.',
    },
    voided: {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    },
    sends: (request) => form(request),
    identity: { sub: '1037', email: 'a@example.com' },
    expected: {
      accessToken: 'ya29.1',
      refreshToken: '1//1',
      expiresInMs: 3_599_000,
      scopes: ['openid', 'https://www.googleapis.com/auth/gmail.readonly'],
      uid: '1037',
    },
  },
  microsoft: {
    token: {
      token_type: 'Bearer',
      scope: 'User.Read Mail.Read',
      expires_in: 4399,
      ext_expires_in: 4399,
      access_token: 'EwB',
      refresh_token: 'M.C1',
    },
    voided: {
      status: 400,
      body: { error: 'invalid_grant', error_codes: [70008], error_description: 'AADSTS70008: …' },
    },
    sends: (request) => form(request),
    identity: { id: '48d3', displayName: 'Ada' },
    expected: {
      accessToken: 'EwB',
      refreshToken: 'M.C1',
      expiresInMs: 4_399_000,
      scopes: ['User.Read', 'Mail.Read'],
      uid: '48d3',
    },
  },
  salesforce: {
    token: {
      access_token: '00D!1',
      refresh_token: '5Aep1',
      signature: 'x',
      scope: 'refresh_token api id',
      instance_url: 'https://acme.my.salesforce.com',
      id: 'https://login.salesforce.com/id/00D/005',
      token_type: 'Bearer',
      issued_at: '1700000000000',
    },
    voided: {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'expired access/refresh token' },
    },
    sends: (request) => form(request),
    expected: {
      accessToken: '00D!1',
      refreshToken: '5Aep1',
      expiresInMs: 7_200_000,
      scopes: ['refresh_token', 'api', 'id'],
      uid: 'https://login.salesforce.com/id/00D/005',
      fields: { instance_url: 'https://acme.my.salesforce.com' },
    },
  },
  hubspot: {
    token: { token_type: 'bearer', refresh_token: '1e8f', access_token: 'CJSP', expires_in: 1800 },
    voided: invalidGrant,
    sends: (request) => form(request),
    identity: { portalId: 62515 },
    expected: { accessToken: 'CJSP', refreshToken: '1e8f', expiresInMs: 1_800_000, uid: '62515' },
  },
  notion: {
    token: {
      access_token: 'ntn_1',
      token_type: 'bearer',
      refresh_token: 'nrt_1',
      bot_id: 'b1',
      workspace_id: 'w1',
      workspace_icon: null,
      owner: { type: 'user', user: { id: 'u1' } },
      duplicated_template_id: null,
    },
    voided: invalidGrant,
    sends: (request) => ({ basic: basic(request), ...(JSON.parse(request.body) as object) }),
    identity: { object: 'user', id: 'b1' },
    expected: { accessToken: 'ntn_1', refreshToken: 'nrt_1', uid: 'b1' },
  },
  airtable_oauth: {
    token: {
      access_token: 'oaa1',
      refresh_token: 'oar1',
      token_type: 'Bearer',
      scope: 'data.records:read schema.bases:read',
      expires_in: 3600,
      refresh_expires_in: 5184000,
    },
    voided: invalidGrant,
    sends: (request) => ({ basic: basic(request), ...form(request) }),
    identity: { id: 'usr1' },
    expected: {
      accessToken: 'oaa1',
      refreshToken: 'oar1',
      expiresInMs: 3_600_000,
      scopes: ['data.records:read', 'schema.bases:read'],
      uid: 'usr1',
    },
  },
  quickbooks: {
    token: {
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: 'AB11',
      x_refresh_token_expires_in: 8726400,
      access_token: 'eyJ1',
    },
    voided: { status: 400, body: { error: 'invalid_grant' } },
    sends: (request) => ({ basic: basic(request), ...form(request) }),
    expected: { accessToken: 'eyJ1', refreshToken: 'AB11', expiresInMs: 3_600_000 },
  },
  zoom: {
    token: {
      access_token: 'zm1',
      token_type: 'bearer',
      refresh_token: 'zr1',
      expires_in: 3599,
      scope: 'user:read:user meeting:read',
      api_url: 'https://api.zoom.us',
    },
    voided: { status: 400, body: { reason: 'Invalid Token!', error: 'invalid_grant' } },
    sends: (request) => ({ basic: basic(request), ...form(request) }),
    identity: { id: 'KdY' },
    expected: {
      accessToken: 'zm1',
      refreshToken: 'zr1',
      expiresInMs: 3_599_000,
      scopes: ['user:read:user', 'meeting:read'],
      uid: 'KdY',
    },
  },
  shopify: {
    token: { access_token: 'shpat_1', scope: 'read_orders,read_products' },
    voided: { status: 400, body: { error: 'invalid_grant' } },
    sends: (request) => form(request),
    expected: {
      accessToken: 'shpat_1',
      scopes: ['read_orders', 'read_products'],
      fields: { access_token: 'shpat_1' },
    },
  },
  twitter: {
    token: {
      token_type: 'bearer',
      expires_in: 7200,
      access_token: 'tw1',
      scope: 'tweet.read users.read offline.access',
      refresh_token: 'twr1',
    },
    voided: {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Value passed for the token was invalid.' },
    },
    sends: (request) => ({ basic: basic(request), ...form(request) }),
    identity: { data: { id: '2244994945', name: 'X', username: 'x' } },
    expected: {
      accessToken: 'tw1',
      refreshToken: 'twr1',
      expiresInMs: 7_200_000,
      scopes: ['tweet.read', 'users.read', 'offline.access'],
      uid: '2244994945',
    },
  },
};

/** The request with a code, by how the client authenticates. */
export const sentOf = (auth: 'basic' | 'post' | 'json' | 'none', verifier: string | undefined, extra: object) => ({
  ...CODE,
  ...extra,
  ...(verifier === undefined ? {} : { code_verifier: verifier }),
  ...(auth === 'basic' ? { basic: BY_BASIC } : BY_FORM),
});
