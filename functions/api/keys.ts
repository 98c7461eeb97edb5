import { all, nothing, one } from '../../shared/http/api-response.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { keys as routes } from '../../shared/http/routes/key-routes.ts';
import { showKey } from '../../shared/http/keys/show-key.ts';
import { createApiKey, deleteApiKey, rotateApiKey } from '../../shared/service/keys/change-keys.ts';
import { currentKey, currentKeys, type KeyServices } from '../../shared/service/keys/current-keys.ts';

/** The operations on API keys, which are served with those on their user. */
export const keyOperations = (services: KeyServices) =>
  ({
    listKeys: operation(routes.listKeys, async ({ caller }) =>
      all((await currentKeys(services, caller)).keys.map(showKey)),
    ),

    getCurrentKey: operation(routes.getCurrentKey, async ({ caller }) => {
      const { key, user } = await currentKey(services, caller);
      return one({ ...showKey(key), user_id: user.id, username: user.username });
    }),

    createKey: operation(routes.createKey, async ({ input: { name, scopes, expires_at_ms }, caller }) => {
      const requested = { name, scopes, validUntil: expires_at_ms ?? undefined };
      const { key, secret } = await createApiKey(services, caller, requested);
      return one({ ...showKey(key), api_key: secret });
    }),

    rotateKey: operation(routes.rotateKey, async ({ parameters: { id }, input, caller }) => {
      const rotation = { id, overlapMs: input.overlap_seconds * 1_000 };
      const { key, secret } = await rotateApiKey(services, caller, rotation);
      return one({ ...showKey(key), api_key: secret });
    }),

    deleteKey: operation(routes.deleteKey, async ({ parameters: { id }, caller, logRemoved }) => {
      const { name, scopes } = await deleteApiKey(services, caller, id);
      logRemoved({ name, scopes });
      return nothing;
    }),
  }) satisfies Record<keyof typeof routes, Operation>;
