import type { Account } from '../../../shared/domain/account/account.ts';
import { redirectAddress } from '../../../shared/domain/oauth/connect-addresses.ts';
import type { OAuthClient } from '../../../shared/domain/oauth/oauth-client.ts';
import { providerNamed } from '../../../shared/domain/oauth/providers.ts';
import { redirectProblem } from '../../../shared/domain/oauth/redirect-problem.ts';
import type { Operator } from '../operator.ts';

interface ClientFinding {
  apps: readonly string[];
  /** The reason why users cannot sign in with the client. */
  problem: string | null;
}

interface AccountFinding {
  id: string;
  owner: string;
  app: string;
  status: string;
  reason: string | null;
}

/** The OAuth clients of a service, and the accounts that were connected with them. */
export interface OAuthFindings {
  redirect_address: string;
  clients: readonly ClientFinding[];
  /** Numbers of accounts by status. */
  accounts: Readonly<Record<string, number>>;
  /** The first of the accounts that are not in order. */
  examples: readonly AccountFinding[];
}

const MAX_EXAMPLES = 10;

type OAuthOperator = Pick<Operator, 'accounts' | 'clients' | 'names' | 'oauthFunction' | 'users'>;

export async function diagnoseOAuth(operator: OAuthOperator): Promise<OAuthFindings> {
  const { clients, names, users, accounts } = operator;
  const findings: ClientFinding[] = [];
  for (const client of await clients.list())
    findings.push({ apps: client.apps, problem: await problemOf(operator, client) });
  const counts: Record<string, number> = { connected: 0, expiring: 0, needs_reconnect: 0 };
  const examples: AccountFinding[] = [];
  for (const id of await users.ids()) {
    for (const account of await accounts.list(id)) {
      const { oauth } = account;
      if (!oauth) continue;
      counts[oauth.status] = (counts[oauth.status] ?? 0) + 1;
      if (oauth.status !== 'connected' && examples.length < MAX_EXAMPLES) examples.push(findingOf(account));
    }
  }
  return {
    redirect_address: redirectAddress(names.publicApiUrl),
    clients: findings,
    accounts: counts,
    examples,
  };
}

const findingOf = ({ id, ownerId, app, oauth }: Account): AccountFinding => ({
  id,
  owner: ownerId,
  app,
  status: oauth?.status ?? 'connected',
  reason: oauth?.statusReason ?? null,
});

async function problemOf(
  { names, oauthFunction }: OAuthOperator,
  { id, apps, provider, settings }: OAuthClient,
): Promise<string | null> {
  const entry = provider === undefined ? undefined : providerNamed(provider);
  const hasAddresses = settings.authorization !== undefined && settings.token !== undefined;
  if (!entry && !hasAddresses)
    return `the built-in provider ${provider} is not in this release: register the client again`;
  const { state } = await oauthFunction.checkClient({ clientId: id });
  if (state === 'unreadable')
    return `its secret cannot be decrypted: register the client again (oauth-clients add --app ${apps[0]})`;
  return redirectProblem(entry, names.publicApiUrl) ?? null;
}

/** Whether the operator has something to mend. An account that needs a new sign-in is for its user. */
export const hasProblem = ({ clients }: OAuthFindings): boolean => clients.some(({ problem }) => problem !== null);

/** The findings in lines for people. */
export function linesOf({ redirect_address: address, clients, accounts, examples }: OAuthFindings): string[] {
  const inNeed = (accounts['expiring'] ?? 0) + (accounts['needs_reconnect'] ?? 0);
  return [
    `Redirect address of OAuth clients: ${address}`,
    `OAuth clients: ${clients.length === 0 ? 'none' : clients.length}`,
    ...clients.flatMap(({ apps, problem }) => (problem === null ? [] : [`  ${apps.join(', ')}: ${problem}`])),
    `Accounts connected by signing in: ${Object.entries(accounts)
      .map(([status, count]) => `${count} ${status}`)
      .join(', ')}`,
    ...examples.map(
      ({ id, owner, app, status, reason }) =>
        `  ${id} of ${owner}, ${app}: ${status}${reason === null ? '' : `: ${reason}`}`,
    ),
    ...(inNeed > examples.length ? [`  and ${inNeed - examples.length} more`] : []),
  ];
}
