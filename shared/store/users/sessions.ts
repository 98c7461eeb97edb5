import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { CALLBACK_WINDOW_MS, MAX_SESSIONS, Session, SIGN_IN_MS } from '../../domain/person/stored-session.ts';
import { SealedFields } from '../../domain/user/sealed-fields.ts';
import { changeCurrent } from '../table/change-current.ts';
import { changeItem } from '../table/change-item.ts';
import { callbackCountKey, personSessionsKey, sessionKey, sessionTokensKey, usedSignInKey } from '../table/keys.ts';
import { deleteItem, getItem, IS_NEW, putItem, type TableOptions } from '../table/table-client.ts';

export type SessionStore = ReturnType<typeof sessionStore>;

/** Undefined fields are removed; absent fields stay. */
export type SessionChange = Partial<Pick<Session, 'person' | 'confirmedAt' | 'freshUntil' | 'askAt'>>;

const Tokens = z.object({ sealed: SealedFields });
const PersonItem = z.object({
  sessions: z.array(z.object({ hash: z.string(), endsAt: z.number() })).default([]),
  version: z.number().int().default(0),
});
type PersonItem = z.infer<typeof PersonItem>;
const Counted = z.object({ callbacks: z.number() });

/** The clocks of instances differ by less. */
const CLOCKS_MS = 60_000;
const seconds = (ms: number): number => Math.ceil((ms + CLOCKS_MS) / 1_000);

/** Sessions of people, by the hash of the token in the cookie. They expire by themselves. */
export function sessionStore(table: TableOptions) {
  async function remove(hashes: readonly string[]): Promise<void> {
    const keys = hashes.flatMap((hash) => [sessionKey(hash), sessionTokensKey(hash)]);
    await Promise.all(keys.map((Key) => deleteItem(table, { Key })));
  }

  /** Adds a session to those of its person. Returns the oldest ones that are too many. */
  async function list(hash: string, { client, person, endsAt }: Session, now: number): Promise<string[]> {
    const key = personSessionsKey(client, person.subject);
    return changeCurrent<PersonItem, string[]>({
      find: async () => PersonItem.parse((await getItem(table, key)) ?? {}),
      write: async ({ sessions, version }) => {
        const others = sessions.filter((each) => each.endsAt > now && each.hash !== hash);
        const kept = others.slice(Math.max(0, others.length - MAX_SESSIONS + 1));
        const next = [...kept, { hash, endsAt }];
        const isWritten = await putItem(table, {
          Item: { ...key, sessions: next, version: version + 1, expiresAt: seconds(endsAt) },
          ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
          ExpressionAttributeValues: { ':version': version },
        });
        return isWritten && others.filter((each) => !kept.includes(each)).map((each) => each.hash);
      },
    });
  }

  return {
    async find(hash: string): Promise<Session | undefined> {
      const item = await getItem(table, sessionKey(hash));
      return item && Session.parse(item);
    },

    /** A session is listed before it exists: a crash between the two leaves an entry that does nothing. */
    async create(hash: string, session: Session, tokens: SealedFields | undefined, now: number): Promise<void> {
      const tooMany = await list(hash, session, now);
      const expiresAt = seconds(session.endsAt);
      if (tokens) await putItem(table, { Item: { ...sessionTokensKey(hash), sealed: tokens, expiresAt } });
      await putItem(table, { Item: { ...sessionKey(hash), ...session, expiresAt } });
      await remove(tooMany);
    },

    /** Changes a session that was read before. Undefined when it was changed or ended meanwhile. */
    async change(hash: string, { version }: Session, change: SessionChange): Promise<Session | undefined> {
      const written = await changeItem(table, sessionKey(hash), { change, version });
      return written && Session.parse(written);
    },

    async tokens(hash: string): Promise<SealedFields | undefined> {
      const item = await getItem(table, sessionTokensKey(hash));
      return item && Tokens.parse(item).sealed;
    },

    putTokens: async (hash: string, sealed: SealedFields, endsAt: number): Promise<void> => {
      await putItem(table, { Item: { ...sessionTokensKey(hash), sealed, expiresAt: seconds(endsAt) } });
    },

    remove: (hash: string): Promise<void> => remove([hash]),

    /** False for a sign-in that has come back before. */
    useOnce: (stateHash: string, now: number): Promise<boolean> => {
      const Item = { ...usedSignInKey(stateHash), expiresAt: seconds(now + 2 * SIGN_IN_MS) };
      return putItem(table, { Item, ...IS_NEW });
    },

    /** Counts a sign-in that comes back from the provider, among those of its network. */
    async countCallback(network: string, now: number): Promise<number> {
      const window = Math.floor(now / CALLBACK_WINDOW_MS);
      const { Attributes } = await table.dynamo.send(
        new UpdateCommand({
          TableName: table.tableName,
          Key: callbackCountKey(network, window),
          UpdateExpression: 'ADD callbacks :one SET expiresAt = :expires',
          ExpressionAttributeValues: { ':one': 1, ':expires': seconds((window + 1) * CALLBACK_WINDOW_MS) },
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      return Counted.parse(Attributes).callbacks;
    },
  };
}
