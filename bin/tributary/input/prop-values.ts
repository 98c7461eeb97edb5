import { cut } from '../../../shared/lib/cut.ts';
import { jsonProblem } from '../../../shared/lib/json-problem.ts';
import { isListType, readPropValue } from '../../../shared/domain/component/prop-value.ts';
import type { Prop } from '../session/response-schemas.ts';
import { suggestion } from './closest.ts';
import { usageFailure } from '../failures.ts';

export type Values = Record<string, unknown>;

/** `k=v` of an option. */
export function assignmentOf(option: string, line: string): { name: string; text: string } {
  const at = line.indexOf('=');
  if (at <= 0) throw usageFailure(`${option} must be NAME=VALUE.`);
  return { name: line.slice(0, at), text: line.slice(at + 1) };
}

export interface PropLines {
  prop?: readonly string[] | undefined;
  propJson?: readonly string[] | undefined;
  account?: readonly string[] | undefined;
  unset?: readonly string[] | undefined;
}

interface PropReaders {
  /** The text of `@file`. */
  readText(text: string): Promise<string>;
  accountId(name: string): Promise<string>;
}

/** The values that the options set, each read by its prop's declared type; null unsets. */
export async function propValues(
  props: readonly Prop[],
  { prop = [], propJson = [], account = [], unset = [] }: PropLines,
  { readText, accountId }: PropReaders,
): Promise<Values> {
  const values = new Map<string, unknown>();
  const texts = new Map<string, string[]>();
  for (const line of prop) {
    const { name, text } = assignmentOf('--prop', line);
    texts.set(name, [...(texts.get(name) ?? []), await readText(text)]);
  }
  for (const [name, each] of texts) values.set(name, propValue(definitionOf(props, name), each));
  for (const line of propJson) {
    const { name, text } = assignmentOf('--prop-json', line);
    values.set(definitionOf(props, name).name, parsedJson(name, await readText(text)));
  }
  for (const line of account) {
    const { name, text } = assignmentOf('--account', line);
    values.set(appProp(props, name).name, { authProvisionId: await accountId(text) });
  }
  for (const name of unset) values.set(definitionOf(props, name).name, null);
  return Object.fromEntries(values);
}

/** Names of the props that must have a value and have none. */
export function missingNames(props: readonly Prop[], values: Values): string[] {
  return props.filter((prop) => isRequired(prop) && valueAt(values, prop.name) === null).map(({ name }) => name);
}

/** App props that need an account and have none: the code reads fields of it. */
export const withoutAccount = (props: readonly Prop[], values: Values): Prop[] =>
  props.filter(
    ({ name, type, optional, authFields = [] }) =>
      type === 'app' && optional !== true && authFields.length > 0 && valueAt(values, name) === null,
  );

/** Own members only: a prop may be named like a member of `Object.prototype`. */
const valueAt = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? (values[name] ?? null) : null;

/** Props that the service provides, that only show text, or that may be left out. */
const NEVER_REQUIRED = /^(?:\$\.service\.db|\$\.interface\..*|alert|app)$/;

export const isRequired = (prop: Prop): boolean =>
  !NEVER_REQUIRED.test(prop.type) &&
  prop.optional !== true &&
  prop.hidden !== true &&
  prop.disabled !== true &&
  !Object.hasOwn(prop, 'default');

/** A component whose props depend on values may take props that it does not declare. */
function definitionOf(props: readonly Prop[], name: string): Prop {
  const found = props.find((prop) => prop.name === name);
  if (found) return found;
  if (props.some(({ reloadProps }) => reloadProps === true)) return { name, type: 'any' };
  const names = props.map((prop) => prop.name);
  const has = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  throw usageFailure(`The component has no prop ${name}; ${has}.${suggestion(name, names)}`, 'unknown_prop');
}

/** The app prop of a name, or the only one of an app. */
function appProp(props: readonly Prop[], name: string): Prop {
  const apps = props.filter(({ type }) => type === 'app');
  const named = apps.find((prop) => prop.name === name);
  const [ofApp, ...more] = apps.filter(({ app }) => app === name);
  if (named) return named;
  if (ofApp && more.length === 0) return ofApp;
  const names = apps.map((prop) => prop.name);
  const has = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  throw usageFailure(`The component has no app prop ${name}; ${has}.${suggestion(name, names)}`, 'unknown_prop');
}

/** Reads the texts of one prop; several only of a list. */
export function propValue(prop: Prop, texts: readonly string[]): unknown {
  const { name, type } = prop;
  const [text = '', ...more] = texts;
  if (!isListType(type) && more.length > 0)
    throw usageFailure(`The prop ${name} takes one value, not ${texts.length}.`);
  const element = isListType(type) ? { ...prop, type: type.slice(0, -2) } : prop;
  if (type === '$.interface.timer') return timerOf(prop, text);
  const values = texts.map((each) => valueOf(element, each));
  const read = readPropValue(prop, isListType(type) ? values : values[0], { isTyped: true });
  if ('problem' in read) throw invalidProp(prop, read.problem, texts.join(', '));
  return read.value;
}

/** The text, or the JSON that a text of some types is. */
function valueOf({ name, type }: Prop, text: string): unknown {
  switch (type) {
    case 'object':
    case 'http_request':
    case 'app':
      return parsedJson(name, text);
    case 'any':
      return jsonOrText(text);
    default:
      return text;
  }
}

/** The message repeats the value, unless it may be a secret. */
const invalidProp = ({ name, secret }: Prop, problem: string, text: string) =>
  usageFailure(
    secret === true ? `The prop ${name} ${problem}.` : `The prop ${name} ${problem}, not ${cut(text, 100)}.`,
    'invalid_prop',
  );

/** Seconds, cron, or the API's own form. */
function timerOf(prop: Prop, text: string): unknown {
  if (/^\d+$/.test(text)) return { interval_seconds: Number(text) };
  if (text.trimStart().startsWith('{')) return parsedJson(prop.name, text);
  if (text.trim().split(/\s+/).length === 5) return { cron: text.trim() };
  throw invalidProp(prop, 'must be seconds or a cron expression of five fields', text);
}

function parsedJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageFailure(`The prop ${name} must be JSON: ${jsonProblem(text)}.`, 'invalid_prop');
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
