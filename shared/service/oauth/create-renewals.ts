import type { ProviderRequests } from '../../aws/oauth/provider-requests.ts';
import type { OAuthGrant } from '../../domain/oauth/grant.ts';
import type { OpenClient } from './open-client.ts';
import type { Renewals } from './renew-account.ts';

const NO_CLIENT =
  'The OAuth client of the app is no longer registered: the operator registers it with `admin oauth-clients add`.';

/** Asks the provider of a grant, with the client that is registered now. */
export function createRenewals(open: OpenClient, requests: ProviderRequests): Renewals {
  const clientOf = (grant: OAuthGrant) =>
    open({ client: grant.client, ownerId: grant.client, parameters: grant.parameters });
  return {
    async refresh(grant, refreshToken) {
      const client = await clientOf(grant);
      return client ? requests.refresh(client, refreshToken) : { kind: 'passing', reason: NO_CLIENT };
    },

    async isValid(grant, accessToken) {
      const client = await clientOf(grant);
      const outcome = client && (await requests.identity(client, accessToken));
      if (outcome === undefined || outcome.kind === 'passing') return undefined;
      return outcome.kind === 'identity';
    },

    async clientIdOf(grant) {
      return (await clientOf(grant))?.clientId;
    },

    async revoke(grant, tokens) {
      const client = await clientOf(grant);
      if (client) await requests.revoke(client, tokens);
    },
  };
}
