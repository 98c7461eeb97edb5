import * as z from 'zod';
import { AccountId, UserId } from '../id.ts';
import { OAuthGrant } from './grant.ts';
import { SealedFields, SecretFields } from '../user/sealed-fields.ts';

/** Fields of a connected account (tokens, keys, URLs), by the names that components of its app use. */
export const AccountFields = SecretFields;
export type AccountFields = SecretFields;

/** An app, as in `app` props of components. */
export const AppSlug = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the slug of an app, like my_app');

/** The fields of a connected account that a request or the operator may set. */
export const AccountSettings = z.object({
  /** Slug of the app, as in `app` props of components. */
  app: z.string(),
  /** Unique per user and app; accounts of earlier releases may have none. */
  name: z.string().optional(),
  fields: AccountFields,
});
export type AccountSettings = z.infer<typeof AccountSettings>;

/** A connected account as stored: its fields are encrypted. */
export const Account = AccountSettings.omit({ fields: true }).extend({
  id: AccountId,
  ownerId: UserId,
  fieldNames: z.array(z.string()),
  sealed: SealedFields,
  createdAt: z.number(),
  /**
   * Whether no other account may have its name, and it counts towards the limit. Absent in accounts of earlier
   * releases.
   */
  hasReservedName: z.boolean().optional(),
  /** Present in accounts of kind `oauth`. */
  oauth: OAuthGrant.optional(),
  /** Every change increases it; 0 for accounts of earlier releases. */
  version: z.number().int().default(0),
});
export type Account = z.infer<typeof Account>;

export const nameOfAccount = ({ app, name = app }: Pick<Account, 'app' | 'name'>): string => name;

/** Value of an app prop of a source. */
export const AccountReference = z.object({ authProvisionId: AccountId });
export type AccountReference = z.infer<typeof AccountReference>;

/** Ids of the accounts that the app props name, sorted. `apps` maps app props to apps. */
export const accountIdsAmong = (
  props: Readonly<Record<string, unknown>>,
  apps: Readonly<Record<string, string>> = {},
): AccountId[] =>
  Object.keys(apps)
    .flatMap((name) => AccountReference.safeParse(props[name]).data?.authProvisionId ?? [])
    .sort();
