/** Why a request got no response, by the error code of Node.js, undici or OpenSSL. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'The connection was refused'],
  ['ECONNRESET', 'The connection was reset before a response came'],
  ['EPIPE', 'The connection was closed before a response came'],
  ['UND_ERR_SOCKET', 'The connection was closed before a response came'],
  ['UND_ERR_CONNECT_TIMEOUT', 'The address did not accept the connection in time'],
  ['ETIMEDOUT', 'The address did not accept the connection in time'],
  ['EHOSTUNREACH', 'There is no route to the address'],
  ['ENETUNREACH', 'There is no route to the address'],
  ['ENOTFOUND', 'The host name is not known'],
  ['EAI_AGAIN', 'The name server did not answer'],
  ['CERT_HAS_EXPIRED', 'The TLS certificate has expired'],
  ['CERT_NOT_YET_VALID', 'The TLS certificate is not valid yet'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The TLS certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'The TLS certificate is signed by an unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'The TLS certificate is signed by an unknown authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'The TLS certificate comes without its intermediate certificates'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The TLS certificate is for another host name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'The address does not speak TLS'],
]);

/** Alerts of a receiver, by the end of OpenSSL's code; releases of OpenSSL begin it differently. */
const ALERTS: readonly (readonly [end: string, sentence: string])[] = [
  ['_ALERT_CERTIFICATE_REQUIRED', 'The receiver wants a client certificate, and attempts send none'],
  [
    '_ALERT_HANDSHAKE_FAILURE',
    'The receiver refused the TLS handshake: it may want a client certificate, and attempts send none',
  ],
];

function tlsSentence(code: string): string | undefined {
  if (!code.startsWith('ERR_SSL_')) return undefined;
  return ALERTS.find(([end]) => code.endsWith(end))?.[1] ?? 'The TLS handshake failed';
}

/** A sentence without its full stop: `The connection was refused (connect ECONNREFUSED 127.0.0.1:9)`. */
export function connectionFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const [message = ''] = error.message.split('\n');
  const sentence = SENTENCES.get(code) ?? tlsSentence(code);
  if (sentence === undefined) return message || code || error.name;
  // The message of the system has the address; that of OpenSSL has positions in its own source.
  return `${sentence} (${message.includes(code) ? message : code})`;
}
