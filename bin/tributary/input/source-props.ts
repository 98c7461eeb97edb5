import { Account, type ComponentWithCode, type Prop } from '../session/response-schemas.ts';
import type { Api } from '../session/api.ts';
import { usageFailure } from '../failures.ts';
import { askForAccount, askForMissing } from './prop-prompts.ts';
import { missingNames, type PropLines, propValues, type Values, withoutAccount } from './prop-values.ts';
import { textOrFile } from './read-input.ts';
import { ACCOUNT, idNamed } from './resolve-name.ts';
import type { Session } from '../session/command-session.ts';
import { shellWord } from '../output/shell-word.ts';

export interface ConfiguredInput {
  component: ComponentWithCode;
  lines: PropLines;
  /** The values that an update keeps; absent for a new source. */
  stored?: Values | undefined;
}

/**
 * The values to send. Missing ones are asked for on a terminal; elsewhere they end the command before anything is sent.
 */
export async function configuredProps(
  session: Session,
  api: Api,
  { component, lines, stored }: ConfiguredInput,
): Promise<Values> {
  const { terminal, isInteractive } = session;
  const { configurable_props: props } = component;
  const values = await propValues(props, lines, {
    readText: (text) => textOrFile(terminal, text),
    accountId: (name) => idNamed(api, [ACCOUNT], name),
  });
  const merged = { ...stored, ...values };
  const missing = missingNames(props, merged);
  const unconnected = stored === undefined ? withoutAccount(props, values) : [];
  if (missing.length === 0) return { ...values, ...(await accountsFor(session, api, unconnected)) };
  if (!isInteractive) {
    const options = missing.map((name) => `--prop ${shellWord(`${name}=…`)}`).join(' ');
    const noun = missing.length === 1 ? 'prop' : 'props';
    throw usageFailure(`${component.name} needs the ${noun} ${missing.join(', ')}: add ${options}.`, 'missing_prop');
  }
  const answered = await askForMissing({ api, terminal, component }, merged);
  const asked = Object.fromEntries(missing.map((name) => [name, answered[name]]));
  return { ...values, ...asked, ...(await accountsFor(session, api, unconnected)) };
}

/** Asks for the account of each app prop on a terminal. Elsewhere it names the mend. */
async function accountsFor(session: Session, api: Api, props: readonly Prop[]): Promise<Values> {
  const chosen: [string, unknown][] = [];
  for (const { name, app = '' } of props) {
    const accounts = session.isInteractive ? await api.list(ACCOUNT.list, Account, { query: { app } }) : [];
    if (accounts.length === 0)
      throw usageFailure(
        `${app} needs an account: tributary accounts connect ${shellWord(app)}. Then add --account ${shellWord(`${app}=NAME`)}.`,
        'missing_account',
      );
    chosen.push([name, { authProvisionId: await askForAccount(session.terminal, app, accounts) }]);
  }
  return Object.fromEntries(chosen);
}
