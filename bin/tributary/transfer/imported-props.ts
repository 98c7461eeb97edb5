import type { Prop } from '../session/response-schemas.ts';
import { propValue } from '../input/prop-values.ts';
import { accountIn, isSecret, type SourceEntry, sortedJson } from './document.ts';
import { shellWord } from '../output/shell-word.ts';
import type { AccountState } from './read-account.ts';

interface PropsContext {
  /** The document's form of the values that the source has. */
  stored: Readonly<Record<string, unknown>>;
  accounts: AccountState['accounts'];
  /** Texts of `--set`, by prop. */
  setValues: ReadonlyMap<string, string>;
  /** Undefined while a dry run has not made the component. */
  definitions: readonly Prop[] | undefined;
}

/** A value that cannot be carried. */
export interface LackingValue {
  prop: string;
  /** Its path, for the report. */
  what: string;
  /** The option of `tributary sources` that sets it. */
  option: string;
  /** The app whose account is missing. */
  app?: string;
}

/** The values of a source that differ here. Secrets that the source has stay. */
export function propsToSend(
  { props, slug }: SourceEntry,
  { stored, accounts, setValues, definitions }: PropsContext,
): { props: Record<string, unknown>; lacking: LackingValue[] } {
  const lacking: LackingValue[] = [];
  const sent = [...setValues].map(([name, text]): [string, unknown] => [
    name,
    setValue(name, { text, definitions, accounts }),
  ]);
  for (const [name, value] of Object.entries(props)) {
    if (setValues.has(name)) continue;
    if (Object.hasOwn(stored, name) && sortedJson(stored[name]) === sortedJson(value)) continue;
    if (isSecret(value)) {
      const what = `prop ${name} of the source ${slug}, whose value is not exported`;
      lacking.push({ prop: name, what, option: `--prop ${shellWord(`${name}=VALUE`)}` });
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
      option: `--account ${shellWord(`${name}=apn_…`)}`,
      app: wanted.app,
    });
  }
  for (const name of Object.keys(stored))
    if (!Object.hasOwn(props, name) && !setValues.has(name)) sent.push([name, null]);
  return { props: Object.fromEntries(sent), lacking };
}

interface SetInput extends Pick<PropsContext, 'definitions' | 'accounts'> {
  text: string;
}

/** The value of a text of `--set`, read by the declared type; of an app prop the id or the name of an account. */
function setValue(name: string, { text, definitions, accounts }: SetInput): unknown {
  const prop = definitions?.find((each) => each.name === name) ?? { name, type: 'any' };
  if (prop.type !== 'app') return propValue(prop, [text]);
  const account = accounts.find(({ id, app, name: called }) => id === text || (app === prop.app && called === text));
  return { authProvisionId: account?.id ?? text };
}

/** Sentences about values that a source lacks, each with the command that sets them. */
export const lackingSentences = (
  lacking: readonly LackingValue[],
  commandOf: (value: LackingValue) => string,
): string[] => lacking.map((value) => `${value.what}: ${commandOf(value)}`);
