import type { ClientAuth } from 'oauth4webapi';

/**
 * Encodes as https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 demands, and no more: oauth4webapi also encodes `-`,
 * `_` and `.`, which providers that do not decode the credentials refuse.
 */
export const basic =
  (secret: string): ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const credentials = [id, secret].map(formEncoded).join(':');
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };

const formEncoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
