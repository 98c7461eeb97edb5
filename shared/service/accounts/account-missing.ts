import { AccountReference } from '../../domain/account/account.ts';
import type { RunError } from '../../domain/run/run.ts';
import type { SourceConfiguration } from '../../domain/source/source.ts';
import type { SourceTraits } from '../../domain/component/source-traits.ts';

export function missingAccounts(
  { neededAccounts = [], appProps = {} }: Pick<SourceTraits, 'neededAccounts' | 'appProps'>,
  { configuredProps }: Pick<SourceConfiguration, 'configuredProps'>,
): string[] {
  const values = new Map(Object.entries(configuredProps));
  const apps = new Map(Object.entries(appProps));
  return neededAccounts
    .filter((name) => !AccountReference.safeParse(values.get(name)).success)
    .map((name) => apps.get(name) ?? name);
}

/** The mend, as the command line and the form say it. */
export const accountNeeded = (app: string): string => `${app} needs an account: tributary accounts connect ${app}`;

/** The error of a run without an account whose fields the component reads. */
export const accountMissing = (apps: readonly string[]): Pick<RunError, 'code' | 'message'> => ({
  code: 'account_missing',
  message: `${apps.map(accountNeeded).join('. ')}. Name it in configured_props.`,
});
