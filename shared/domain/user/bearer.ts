/**
 * The token of `Authorization: Bearer <token>`. The scheme is case-insensitive. Two headers arrive joined by a comma
 * and are invalid.
 */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
