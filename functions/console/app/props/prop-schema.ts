import type { Prop } from '../api/wire.ts';

/** The members of a prop definition that the form uses. Components declare them, so each may be anything. */
export interface FieldDefinition {
  name: string;
  type: string;
  label: string;
  description: string | undefined;
  isOptional: boolean;
  isSecret: boolean;
  isDisabled: boolean;
  hasRemoteOptions: boolean;
  isSearched: boolean;
  keepsLabel: boolean;
  reloads: boolean;
  options: readonly Option[] | undefined;
  defaultValue: unknown;
  min: number | undefined;
  max: number | undefined;
  app: string | undefined;
  content: string | undefined;
}

export interface Option {
  label: string;
  value: unknown;
}

/** Props that the service provides, and that no form has. */
const WITHOUT_FIELD = /^\$\.(?:service\.|interface\.(?:http|apphook))/;

/** Props whose values a person gives. */
export const fieldsOf = (props: readonly Prop[]): FieldDefinition[] =>
  props.filter(({ type, hidden }) => !WITHOUT_FIELD.test(type) && hidden !== true).map(fieldOf);

function fieldOf(prop: Prop): FieldDefinition {
  const { name, type, label, description, options, min, max, app, content } = prop;
  return {
    name,
    type,
    label: textOr(label, name),
    description: textOr(description, undefined),
    isOptional: prop['optional'] === true || Object.hasOwn(prop, 'default') || (type === 'app' && !readsAccount(prop)),
    isSecret: prop['secret'] === true,
    isDisabled: prop['disabled'] === true,
    hasRemoteOptions: prop['remoteOptions'] === true,
    isSearched: prop['useQuery'] === true,
    keepsLabel: prop['withLabel'] === true,
    reloads: prop['reloadProps'] === true,
    options: Array.isArray(options) ? options.map(optionOf) : undefined,
    defaultValue: prop['default'],
    min: typeof min === 'number' ? min : undefined,
    max: typeof max === 'number' ? max : undefined,
    app: textOr(app, undefined),
    content: textOr(content, undefined),
  };
}

/** Runs without such an account end as `account_missing`. */
const readsAccount = ({ authFields = [] }: Prop): boolean => authFields.length > 0;

const textOr = <Other>(value: unknown, other: Other): string | Other =>
  typeof value === 'string' && value !== '' ? value : other;

/** An option is a value, an object with label and value, or such an object below `__lv`. */
export function optionOf(option: unknown): Option {
  const wrapped = memberOf(option, '__lv');
  const labelled = wrapped === undefined ? option : wrapped;
  const value = memberOf(labelled, 'value');
  if (value === undefined) return { label: shownText(labelled), value: labelled };
  return { label: shownText(memberOf(labelled, 'label') ?? value), value };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const entry = Object.entries(value).find(([key]) => key === name);
  return entry?.[1];
}

const shownText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value behind a stored label. */
export const withoutLabel = (value: unknown): unknown => {
  const wrapped = memberOf(value, '__lv');
  return wrapped === undefined ? value : memberOf(wrapped, 'value');
};
