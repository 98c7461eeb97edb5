import { SignIn, Authorization, READABLE_MS, STEP_MS, MAX_WAITING_SIGN_INS } from '../../domain/oauth/sign-in.ts';
import { SignInId, type UserId } from '../../domain/id.ts';
import { changeItem } from '../table/change-item.ts';
import { signInKey, authorizationKey, waitingSignInsKey } from '../table/keys.ts';
import { putItem, getItem, IS_NEW, type TableOptions } from '../table/table-client.ts';
import * as z from 'zod';
import { changeCurrent } from '../table/change-current.ts';

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

export type WaitingSignIns = ReturnType<typeof waitingSignIns>;

const WaitingItem = z.object({
  waiting: z.array(z.object({ id: SignInId, until: z.number() })).default([]),
  version: z.number().int().default(0),
});
type WaitingItem = z.infer<typeof WaitingItem>;

/** Limits the sign-ins of one user that wait. A sign-in that was not released waits no longer after its time. */
export function waitingSignIns(table: TableOptions) {
  async function read(ownerId: UserId, now: number): Promise<WaitingItem> {
    const Item = (await getItem(table, waitingSignInsKey(ownerId))) ?? {};
    const { waiting, version } = WaitingItem.parse(Item);
    return { waiting: waiting.filter(({ until }) => until > now), version };
  }

  const write = (ownerId: UserId, waiting: WaitingItem['waiting'], version: number) =>
    putItem(table, {
      Item: {
        ...waitingSignInsKey(ownerId),
        waiting,
        version: version + 1,
        expiresAt: Math.ceil(Math.max(0, ...waiting.map(({ until }) => until)) / 1_000),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
      ExpressionAttributeValues: { ':version': version },
    });

  return {
    /** The time at which one is free, epoch ms, when there are too many; else undefined. */
    async add(ownerId: UserId, id: SignInId, now: number): Promise<number | undefined> {
      const ADDED = { freeAt: undefined };
      const { freeAt } = await changeCurrent<WaitingItem, { freeAt: number | undefined }>({
        find: () => read(ownerId, now),
        write: async ({ waiting, version }) => {
          if (waiting.some((each) => each.id === id)) return ADDED;
          if (waiting.length >= MAX_WAITING_SIGN_INS) return { freeAt: Math.min(...waiting.map(({ until }) => until)) };
          return (await write(ownerId, [...waiting, { id, until: now + STEP_MS }], version)) && ADDED;
        },
      });
      return freeAt;
    },

    /** Best effort: it ends by itself. */
    async release(ownerId: UserId, id: SignInId, now: number): Promise<void> {
      const { waiting, version } = await read(ownerId, now);
      if (waiting.some((each) => each.id === id))
        await write(
          ownerId,
          waiting.filter((each) => each.id !== id),
          version,
        );
    },
  };
}
