import type { ComponentWithCode } from '../session/response-schemas.ts';
import type { Api } from '../session/api.ts';
import { usageFailure } from '../failures.ts';
import { askForMissing } from './prop-prompts.ts';
import { missingNames, type PropLines, propValues, type Values } from './prop-values.ts';
import { textOrFile } from './read-input.ts';
import { ACCOUNT, idNamed } from './resolve-name.ts';
import type { Session } from '../session/command-session.ts';
import { shellWord } from '../output/shell-word.ts';

export interface ConfiguredInput {
  component: ComponentWithCode;
  lines: PropLines;
  /** The values that an update keeps. */
  stored?: Values;
}

/** The values to send. Missing ones are asked for on a terminal; elsewhere they end the command before anything is sent. */
export async function configuredProps(
  { terminal, isInteractive }: Session,
  api: Api,
  { component, lines, stored = {} }: ConfiguredInput,
): Promise<Values> {
  const { configurable_props: props } = component;
  const values = await propValues(props, lines, {
    readText: (text) => textOrFile(terminal, text),
    accountId: (name) => idNamed(api, [ACCOUNT], name),
  });
  const merged = { ...stored, ...values };
  const missing = missingNames(props, merged);
  if (missing.length === 0) return values;
  if (!isInteractive) {
    const options = missing.map((name) => `--prop ${shellWord(`${name}=…`)}`).join(' ');
    const noun = missing.length === 1 ? 'prop' : 'props';
    throw usageFailure(
      `${component.name} needs the ${noun} ${missing.join(', ')}: add ${options}.`,
      'missing_prop',
    );
  }
  const answered = await askForMissing({ api, terminal, component }, merged);
  return { ...values, ...Object.fromEntries(missing.map((name) => [name, answered[name]])) };
}
