/** The token of `Authorization: Bearer <token>`. The scheme is case-insensitive; two headers, joined by a comma, are one invalid one. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
