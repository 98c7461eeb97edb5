import type { ProviderFacts } from '../provider.ts';

export const designProviders: Record<string, ProviderFacts> = {
  figma: {
    authorization: 'https://www.figma.com/oauth',
    token: 'https://api.figma.com/v1/oauth/token',
    refresh: 'https://api.figma.com/v1/oauth/refresh',
    identity: { address: 'https://api.figma.com/v1/me' },
    scopes: ['current_user:read'],
    pkce: 'S256',
    tokenAuth: 'basic',
    refreshToken: 'stays',
    uid: 'identity.id',
    apps: { figma: ['file_content:read', 'file_comments:read'] },
    note: 'The code must be exchanged within 30 seconds.',
  },
  miro: {
    authorization: 'https://miro.com/oauth/authorize',
    token: 'https://api.miro.com/v1/oauth/token',
    identity: { address: 'https://api.miro.com/v1/oauth-token' },
    lifetime: 'never',
    refreshToken: 'rotates',
    uid: 'token.user_id',
    fields: { access_token: 'token.access_token' },
    apps: { miro_custom_app: [] },
    note: 'Scopes are chosen in the app, not asked for. Access tokens expire only where the app says so; then the response says it.',
  },
  webflow: {
    authorization: 'https://webflow.com/oauth/authorize',
    token: 'https://api.webflow.com/oauth/access_token',
    identity: { address: 'https://api.webflow.com/v2/token/authorized_by' },
    scopes: ['authorized_user:read'],
    lifetime: 'never',
    refreshToken: 'none',
    uid: 'identity.id',
    apps: { webflow: ['cms:read', 'ecommerce:read', 'forms:read', 'sites:read'] },
  },
};
