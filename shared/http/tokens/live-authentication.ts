import { liveTokens } from '../../domain/live/live-token.ts';
import { type Caller, type Credentials, unauthenticated } from '../authentication.ts';
import { createTokenSigner, type TokenSignerOptions } from './token-signer.ts';

interface LiveAuthentication extends TokenSignerOptions {
  byKey: (credentials: Credentials) => Promise<Caller>;
}

/** Authenticates a request to a live stream: by its key, or without one by the token in its query. */
export function createLiveAuthenticator({ byKey, users, now }: LiveAuthentication) {
  const signerOf = createTokenSigner({ users, now });
  return async (credentials: Credentials): Promise<Caller> => {
    const [token, ...others] = new URLSearchParams(credentials.query).getAll('token');
    const hasKey = credentials.authorization?.startsWith(SIGNATURE) === false;
    if (hasKey || token === undefined || others.length > 0) return byKey(credentials);
    const claims = liveTokens.claimsOf(token, now());
    const keyHash = claims && (await signerOf(token, claims.userId, 'read'));
    if (!claims || keyHash === undefined) throw invalidToken();
    return { userId: claims.userId, apiKey: token, keyHash, scopes: ['read'], live: claims };
  };
}

/** CloudFront signs a request to a function URL of the stage setting `signed`, in the place of the viewer's header. */
const SIGNATURE = 'AWS4-HMAC-SHA256 ';

const invalidToken = () =>
  unauthenticated('This token is not valid, or has ended: make a new one with POST …/sse_tokens.');
