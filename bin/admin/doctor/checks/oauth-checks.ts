import { type Check, hold, Unused } from './claim.ts';

const clients: Check = {
  name: 'oauth-clients',
  claim: 'The function that renews accounts decrypts the secret of every registered OAuth client.',
  async ask({ operator }) {
    const registered = await operator.clients.list();
    if (registered.length === 0) throw new Unused('there is no OAuth client');
    for (const { id, apps } of registered) {
      const { state } = await operator.oauthFunction.checkClient({ clientId: id });
      hold(state !== 'unreadable', `It cannot decrypt the secret of the client of ${apps.join(', ')}`);
    }
    return `it decrypted the ${registered.length === 1 ? 'secret of one client' : `secrets of ${registered.length} clients`}`;
  },
};

export const oauthChecks = [clients];
