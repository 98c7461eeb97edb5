import * as z from 'zod';
import type { Api } from '../session/api.ts';
import type { Account, ComponentWithCode, Prop } from '../session/response-schemas.ts';
import { CommandFailure } from '../failures.ts';
import { plainLine } from '../../plain-text.ts';
import { isRequired, propValue, type Values } from './prop-values.ts';
import type { Terminal } from '../terminal.ts';

const Options = z.looseObject({ options: z.array(z.unknown()).default([]) });

/** An option of a prop: a value, `{label, value}`, or a labelled value of a form. */
const Labelled = z.object({ label: z.string(), value: z.unknown() });
const Wrapped = z.object({ __lv: Labelled });

interface Choice {
  name: string;
  value: unknown;
}

interface AskContext {
  api: Api;
  terminal: Terminal;
  component: ComponentWithCode;
}

/** Asks for every required prop that has no value, in the order of the code. */
export async function askForMissing(context: AskContext, values: Values): Promise<Values> {
  const answered: Values = { ...values };
  for (const prop of context.component.configurable_props) {
    if (!isRequired(prop) || (Object.hasOwn(answered, prop.name) && answered[prop.name] != null)) continue;
    answered[prop.name] = await ask(context, prop, answered);
  }
  return answered;
}

/** The id of the chosen account. */
export async function askForAccount(
  { stdin, stderr }: Terminal,
  app: string,
  accounts: readonly Account[],
): Promise<string> {
  const { select } = await import('@inquirer/prompts');
  const choices = accounts.map(({ id, name }) => ({ name: plainLine(name ?? id), value: id }));
  return select({ message: plainLine(`${app} needs an account:`), choices }, { input: stdin, output: stderr });
}

async function ask(context: AskContext, prop: Prop, values: Values): Promise<unknown> {
  const prompts = await import('@inquirer/prompts');
  const streams = { input: context.terminal.stdin, output: context.terminal.stderr };
  const message = questionOf(prop);
  const choices = await choicesOf(context, prop, values);
  if (choices.length > 0) {
    return prop.type.endsWith('[]')
      ? prompts.checkbox({ message, choices, required: true }, streams)
      : prompts.select({ message, choices }, streams);
  }
  if (prop.type === 'boolean') return prompts.confirm({ message }, streams);
  const isValid = (text: string) => problemOf(prop, text) ?? true;
  const text =
    prop.secret === true
      ? await prompts.password({ message, validate: isValid }, streams)
      : await prompts.input({ message, validate: isValid }, streams);
  return propValue(prop, textsOf(prop, text));
}

function questionOf({ name, label, description }: Prop): string {
  const title = label === undefined ? name : `${label} (${name})`;
  return plainLine(description === undefined ? `${title}:` : `${title}: ${description}\n`);
}

/** Several values of a list are separated by commas. */
const textsOf = ({ type }: Prop, text: string): string[] =>
  type.endsWith('[]') ? text.split(',').map((each) => each.trim()) : [text];

function problemOf(prop: Prop, text: string): string | undefined {
  if (text === '') return 'A value is needed.';
  try {
    propValue(prop, textsOf(prop, text));
    return undefined;
  } catch (error) {
    if (error instanceof CommandFailure) return error.message;
    throw error;
  }
}

async function choicesOf({ api, component }: AskContext, prop: Prop, values: Values): Promise<Choice[]> {
  if (prop.options !== undefined) return prop.options.map(choiceOf);
  if (prop.remoteOptions !== true) return [];
  const body = { id: component.id, prop_name: prop.name, configured_props: values };
  // Without options a value can still be typed.
  const { options } = await api.send('POST', '/components/configure', Options, { body }).catch(() => ({ options: [] }));
  return options.map(choiceOf);
}

function choiceOf(option: unknown): Choice {
  const wrapped = Wrapped.safeParse(option);
  const labelled = wrapped.success ? wrapped.data.__lv : Labelled.safeParse(option).data;
  if (labelled) return { name: plainLine(labelled.label), value: labelled.value };
  return { name: plainLine(String(option)), value: option };
}
