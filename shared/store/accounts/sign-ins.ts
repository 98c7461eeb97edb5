import { SignIn, Authorization, READABLE_MS, STEP_MS } from '../../domain/oauth/sign-in.ts';
import type { SignInId } from '../../domain/id.ts';
import { changeItem } from '../table/change-item.ts';
import { signInKey, authorizationKey } from '../table/keys.ts';
import { putItem } from '../table/item-writes.ts';
import { getItem, IS_NEW, type TableOptions } from '../table/table-client.ts';

export type SignInStore = ReturnType<typeof signInStore>;

/** Undefined fields are removed; absent fields stay. */
export type SignInChange = Partial<Pick<SignIn, 'waitingUntil' | 'flights' | 'isConnected'>> & {
  confirmed?: SignIn['confirmed'];
  refusal?: string | undefined;
};
export type AuthorizationChange = Partial<Pick<Authorization, 'status' | 'exchangedAt' | 'login' | 'grantedScopes'>> & {
  tokens?: Authorization['tokens'];
  confirmationHash?: Authorization['confirmationHash'];
};

/** Sign-ins, and their authorizations. They expire by themselves. */
export function signInStore(table: TableOptions) {
  const put = async (Item: Record<string, unknown>) => {
    await putItem(table, { Item, ...IS_NEW });
  };

  return {
    async find(id: SignInId): Promise<SignIn | undefined> {
      const item = await getItem(table, signInKey(id));
      return item && SignIn.parse(item);
    },

    create: (signIn: SignIn): Promise<void> =>
      put({
        ...signInKey(signIn.id),
        ...signIn,
        expiresAt: seconds(signIn.createdAt + READABLE_MS + 3 * STEP_MS),
      }),

    /** Changes a sign-in that was read before. Undefined when it was changed meanwhile. */
    async change({ id, version }: SignIn, change: SignInChange): Promise<SignIn | undefined> {
      const written = await changeItem(table, signInKey(id), { change, version });
      return written && SignIn.parse(written);
    },

    async findAuthorization(id: SignInId, stateHash: string): Promise<Authorization | undefined> {
      const item = await getItem(table, authorizationKey(id, stateHash));
      return item && Authorization.parse(item);
    },

    createAuthorization: (authorization: Authorization): Promise<void> =>
      put({
        ...authorizationKey(authorization.attemptId, authorization.stateHash),
        ...authorization,
        expiresAt: seconds(authorization.openedAt + READABLE_MS),
      }),

    /** Changes an authorization that was read before. Undefined when it was changed meanwhile. */
    async changeAuthorization(
      { attemptId, stateHash, version }: Authorization,
      change: AuthorizationChange,
    ): Promise<Authorization | undefined> {
      const written = await changeItem(table, authorizationKey(attemptId, stateHash), { change, version });
      return written && Authorization.parse(written);
    },
  };
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);
