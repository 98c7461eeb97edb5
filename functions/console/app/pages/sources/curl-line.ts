/** A command that sends an example request to an endpoint. */
export const curlLineOf = (endpoint: string): string =>
  `curl -X POST '${endpoint}' -H 'content-type: application/json' -d '{"name":"Ada"}'`;
