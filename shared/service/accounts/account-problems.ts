import { belongsTo } from './account-reader.ts';
import { AccountReference } from '../../domain/account/account.ts';
import type { ErrorDetail } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';
import type { PropDefinition } from '../../domain/component/prop-definition.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';

interface AccountCheckInput {
  userId: UserId;
  definitions: readonly PropDefinition[];
  props: Readonly<Record<string, unknown>>;
}

/**
 * Checks the accounts in app props: each must exist, belong to the caller, and be of the prop's app. All three have the
 * same message, so that ids of other users' accounts cannot be probed.
 */
export async function accountProblems(
  accounts: Pick<AccountStore, 'find'>,
  { userId, definitions, props }: AccountCheckInput,
): Promise<ErrorDetail[]> {
  const named = definitions.filter(({ name, type }) => type === 'app' && Object.hasOwn(props, name));
  const found = await Promise.all(
    named.map(async ({ name, app }): Promise<ErrorDetail[]> => {
      const message = await problemOf(props[name], typeof app === 'string' ? app : '');
      return message === undefined ? [] : [{ path: `configured_props.${name}`, message }];
    }),
  );
  return found.flat();

  async function problemOf(value: unknown, app: string): Promise<string | undefined> {
    const reference = AccountReference.safeParse(value);
    if (!reference.success) return 'must name a connected account: {"authProvisionId": "apn_…"}';
    const { authProvisionId: id } = reference.data;
    const account = await accounts.find(id);
    if (account && belongsTo(account, userId, app)) return undefined;
    return `names no connected account of yours for the app ${app}: ${id}`;
  }
}
