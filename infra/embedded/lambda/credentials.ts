import { createHash, randomBytes } from 'node:crypto';

/** The credentials of a role. Each role has its own, so a signature identifies the role. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Credentials are new at every start: a restart invalidates every presigned address. */
export function newCredentials(role: string): Credentials {
  const id = createHash('sha256').update(role).digest('hex').toUpperCase();
  return {
    accessKeyId: `ASIA${id.slice(0, 16)}`,
    secretAccessKey: randomBytes(30).toString('base64'),
    sessionToken: randomBytes(48).toString('base64'),
  };
}

/** Credentials as the environment variables that SDKs read. */
export const credentialVariables = ({ accessKeyId, secretAccessKey, sessionToken }: Credentials) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
});
