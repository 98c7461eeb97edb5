import { oauthServices } from '../shared/lambda/wiring/oauth-wiring.ts';
import { createOAuthHandler } from '../shared/service/oauth/handle-oauth-request.ts';

/** Handles direct invocations. No other function can decrypt refresh tokens and the secrets of clients. */
export const handler = createOAuthHandler(oauthServices());
