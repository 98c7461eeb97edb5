import { type ClientAuth, ClientSecretPost, None } from 'oauth4webapi';
import type { ResolvedClient } from '../../domain/oauth/resolved-client.ts';

/**
 * How the client authenticates at the token address and the revocation address. `json` is `post` with another form of
 * the body.
 */
export function clientAuthentication({ provider: { tokenAuth }, clientSecret = '' }: ResolvedClient): ClientAuth {
  switch (tokenAuth) {
    case 'none':
      return None();
    case 'basic':
      return basic(clientSecret);
    case 'post':
    case 'json':
      return ClientSecretPost(clientSecret);
  }
}

/**
 * Encodes as https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 demands, and no more: oauth4webapi also encodes `-`,
 * `_` and `.`, which providers that do not decode the credentials refuse.
 */
const basic =
  (secret: string): ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const credentials = [id, secret].map(formEncoded).join(':');
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };

const formEncoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
