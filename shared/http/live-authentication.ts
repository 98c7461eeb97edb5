import { claimsOf, hasTokenSignature } from '../domain/live/live-token.ts';
import type { UserLookup } from '../store/users/users.ts';
import { suspendedUser } from './invalid-key.ts';
import { type Caller, type Credentials, unauthenticated } from './authentication.ts';

interface LiveAuthentication {
  byKey: (credentials: Credentials) => Promise<Caller>;
  users: Pick<UserLookup, 'find'>;
  now(): number;
}

/** Authenticates a request to a live stream: by its key, or without one by the token in its query. */
export const createLiveAuthenticator =
  ({ byKey, users, now }: LiveAuthentication) =>
  async (credentials: Credentials): Promise<Caller> => {
    const [token, ...others] = new URLSearchParams(credentials.query).getAll('token');
    const hasKey = credentials.authorization?.startsWith(SIGNATURE) === false;
    if (hasKey || token === undefined || others.length > 0) return byKey(credentials);
    const claims = claimsOf(token, now());
    if (!claims) throw invalidToken();
    const user = await users.find(claims.userId);
    const keyHash = [user?.keyHash, user?.localKeyHash].find(
      (hash) => hash !== undefined && hasTokenSignature(token, hash),
    );
    if (keyHash === undefined) throw invalidToken();
    if (user?.suspendedAt !== undefined) throw suspendedUser();
    return { userId: claims.userId, apiKey: token, live: { ...claims, keyHash } };
  };

/** CloudFront signs a request to a function URL of the stage setting `signed`, in the place of the viewer's header. */
const SIGNATURE = 'AWS4-HMAC-SHA256 ';

const invalidToken = () =>
  unauthenticated('This token is not valid, or has ended: make a new one with POST …/sse_tokens.');
