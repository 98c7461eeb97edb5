import type { Command } from 'commander';
import * as z from 'zod';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/command-session.ts';
import type { CommandTree } from '../command-tree.ts';
import { refusedFailure } from '../failures.ts';
import { follow } from '../events/follow.ts';
import { openInBrowser } from '../output/open-browser.ts';
import { assignmentOf } from '../input/prop-values.ts';
import { ACCOUNT, idNamed } from '../input/resolve-name.ts';
import { SignInAddress } from '../session/response-schemas.ts';
import { localTime } from '../output/times.ts';

const SignInState = z.looseObject({
  status: z.enum(['waiting', 'connected', 'refused', 'expired']),
  account_id: z.string().optional(),
  reason: z.string().optional(),
});

const OPTIONS = [
  ['--scope <scope...>', "scope to ask for instead of the client's"],
  ['--parameter <name=value...>', "value in the provider's addresses, such as a subdomain"],
] as const;
const Options = z.object({
  scope: z.array(z.string()).optional(),
  parameter: z.array(z.string()).optional(),
});

/** `accounts connect | reconnect`: a sign-in at the provider, in a browser. */
export function addConnectCommands({ leaf }: CommandTree, accounts: Command): void {
  leaf(accounts, {
    usage: 'connect <app>',
    about: 'Sign in at the provider of an app, in the browser, and keep the account.',
    options: [['--name <name>', 'name of the account'], ...OPTIONS],
    input: Options.extend({ app: z.string(), name: z.string().optional() }),
    examples: [
      ['tributary accounts connect github', 'prints the address, opens it, waits for the sign-in'],
      [
        'tributary accounts connect zendesk --parameter subdomain=acme',
        "with a value that the provider's addresses need",
      ],
    ],
    run: async (session, { app, name, ...options }) => signIn(session, { app, name, ...bodyOf(options) }),
  });
  leaf(accounts, {
    usage: 'reconnect <account>',
    about: 'Sign in again for an account; its sources go on by themselves.',
    options: [...OPTIONS],
    input: Options.extend({ account: z.string() }),
    examples: [
      ['tributary accounts reconnect work', 'by its name'],
      ['tributary accounts reconnect apn_0mvx3k2p9 --scope repo', 'with other scopes'],
    ],
    run: async (session, { account, ...options }) =>
      signIn(session, {
        account_id: await idNamed(await session.api(), [ACCOUNT], account),
        ...bodyOf(options),
      }),
  });
}

function bodyOf({ scope, parameter }: z.output<typeof Options>) {
  const parameters = parameter?.map((line) => {
    const { name, text } = assignmentOf('--parameter', line);
    return [name, text] as const;
  });
  return { scopes: scope, parameters: parameters && Object.fromEntries(parameters) };
}

async function signIn(session: Session, body: object): Promise<void> {
  const { output, terminal } = session;
  const api = await session.api();
  const {
    url,
    expires_at_ms: expiresAt,
    attempt_id: id,
  } = await api.send('POST', '/accounts/connect', SignInAddress, { body });
  output.note(`Sign in here, until ${localTime(expiresAt)}:\n${url}`);
  if (session.isInteractive) await openInBrowser(url, terminal.env);
  const { status, account_id: accountId = '', reason = '' } = await ended(session, api, id);
  if (status === 'refused') throw refusedFailure(`The account was not connected. ${reason}`, 'connect_refused');
  if (status === 'expired')
    throw refusedFailure('The sign-in was not confirmed in time. Run the command again.', 'connect_expired');
  output.result(
    { id: accountId, status },
    `Connected ${accountId}.\nSources name it as {"authProvisionId": "${accountId}"}.`,
  );
}

/** Waits until the sign-in is confirmed, refused or too late. */
async function ended(session: Session, api: Api, id: string): Promise<z.output<typeof SignInState>> {
  const stop = new AbortController();
  const interrupted = session.terminal.interrupted();
  let last: z.output<typeof SignInState> | undefined;
  await follow(
    session,
    async (signal) => {
      const current = await api.get(`/accounts/connect/${encodeURIComponent(id)}`, SignInState, { signal });
      if (current.status === 'waiting') return;
      last = current;
      stop.abort();
    },
    { signal: AbortSignal.any([stop.signal, interrupted]) },
  );
  if (!last) throw refusedFailure('The wait ended before the sign-in; the address stays good.', 'interrupted');
  return last;
}
