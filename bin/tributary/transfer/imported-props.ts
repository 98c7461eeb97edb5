import { accountIn, isSecret, type SourceEntry, sortedJson } from './document.ts';
import type { AccountState } from './read-account.ts';

interface PropsContext {
  /** The document's form of the values that the source has. */
  stored: Readonly<Record<string, unknown>>;
  accounts: AccountState['accounts'];
}

/** A value that cannot be carried. */
export interface LackingValue {
  prop: string;
  /** Its place, for the report. */
  what: string;
  /** The option of `tributary sources` that sets it. */
  option: string;
  /** The command that comes before. */
  before?: string;
}

interface PropsToSend {
  props: Record<string, unknown>;
  lacking: LackingValue[];
}

/** The values of a source that differ here. Secrets that the source has stay. */
export function propsToSend({ props, slug }: SourceEntry, { stored, accounts }: PropsContext): PropsToSend {
  const lacking: LackingValue[] = [];
  const sent: [string, unknown][] = [];
  for (const [name, value] of Object.entries(props)) {
    if (Object.hasOwn(stored, name) && sortedJson(stored[name]) === sortedJson(value)) continue;
    if (isSecret(value)) {
      const what = `prop ${name} of the source ${slug}, whose value is not exported`;
      lacking.push({ prop: name, what, option: `--prop ${name}=VALUE` });
      continue;
    }
    const wanted = accountIn(value)?.account;
    if (wanted === undefined) {
      sent.push([name, value]);
      continue;
    }
    const account = accounts.find(
      ({ app, name: called }) => app === wanted.app && (wanted.name === null || called === wanted.name),
    );
    if (account) {
      sent.push([name, { authProvisionId: account.id }]);
      continue;
    }
    lacking.push({
      prop: name,
      what: `account of ${wanted.app} for the source ${slug}`,
      option: `--account ${name}=apn_…`,
      before: `npm run admin -- accounts add --owner u_… --app ${wanted.app}`,
    });
  }
  for (const name of Object.keys(stored)) if (!Object.hasOwn(props, name)) sent.push([name, null]);
  return { props: Object.fromEntries(sent), lacking };
}

/** Sentences about values that a source lacks, each with the command that sets it. */
export const lackingSentences = (lacking: readonly LackingValue[], command: string): string[] =>
  lacking.map(({ what, option, before }) =>
    [`${what}: `, before === undefined ? '' : `${before}, then `, command, ' ', option].join(''),
  );
