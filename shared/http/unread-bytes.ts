/**
 * Length of a body that the gateway did not pass on. A gateway that knows the limit of a route leaves out a larger
 * body, and passes on its length. 0 for a request that has its body, or none.
 */
export function unreadBytes({
  body = '',
  headers,
}: {
  body?: string | undefined;
  headers: Readonly<Record<string, string | undefined>>;
}): number {
  return body === '' ? Number(headers['content-length'] ?? 0) || 0 : 0;
}
