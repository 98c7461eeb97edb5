/**
 * The one rule for the value of a prop: API, command line, console and import read values by it. Components declare the
 * members of a prop, so each may be anything.
 */
export interface TypedProp {
  type: string;
  /** The values that the component offers: values, or `{label, value}`. */
  options?: unknown;
  /** The component has a function for its options. */
  remoteOptions?: unknown;
  default?: unknown;
  min?: unknown;
  max?: unknown;
}

export type ValueReading = { value: unknown } | { problem: string };

interface Origin {
  shown?: unknown;
  /** The value is the text that a person typed. */
  isTyped?: boolean;
}

/**
 * Reads a value without its labels. A value that equals an option, the default or the shown value, as itself or as its
 * text, is accepted, and converted to the declared type if that can hold it. A prop with an options function accepts
 * any text, number or boolean that its type can hold. Types of apps (`$.app.thing[]`), `sql`, `data_store`, `dir` and
 * `any` accept every value.
 */
export function readPropValue(prop: TypedProp, input: unknown, origin: Origin = {}): ValueReading {
  const value = unlabelled(input);
  const isLabelled = isLabel(input);
  if (!isListType(prop.type)) return readElement(prop, { ...origin, value, isLabelled });
  const whole = [prop.default, origin.shown].map(unlabelled);
  if (!Array.isArray(value)) {
    return whole.some((offered) => isSame(offered, value)) ? { value } : { problem: `must be an array (${prop.type})` };
  }
  const element = { ...prop, type: prop.type.slice(0, -2), default: undefined };
  const offered = whole.flatMap((list) => (Array.isArray(list) ? list.map(unlabelled) : []));
  const values: unknown[] = [];
  for (const [index, member] of value.entries()) {
    const labelled = isLabelled || (Array.isArray(input) && isLabel(input[index]));
    const read = readElement(element, { ...origin, value: member, isLabelled: labelled, offered });
    if ('problem' in read) return { problem: `has an element ${index} that ${read.problem}` };
    values.push(read.value);
  }
  return { value: values };
}

/** The default of a prop in its declared type, or as it is if the type cannot hold it. */
export const defaultValue = (prop: TypedProp): unknown => {
  const value = prop.default ?? undefined;
  if (value === undefined) return undefined;
  const read = readPropValue(prop, value);
  return 'value' in read ? read.value : value;
};

interface Element extends Origin {
  value: unknown;
  isLabelled: boolean;
  /** Elements of a default and of a shown list. */
  offered?: readonly unknown[];
}

function readElement(prop: TypedProp, { value, isLabelled, offered = [], shown, isTyped }: Element): ValueReading {
  const options = Array.isArray(prop.options) ? prop.options.map(optionValue) : [];
  const known = [...options, prop.default, unlabelled(shown), ...offered];
  const converted = inType(prop.type, value);
  const same = known.find((each) => isSame(each, value));
  if (same !== undefined) return { value: converted ?? same };
  const isFree = prop.remoteOptions === true || isTyped === true;
  const read = isFree && isPlain(value) ? (converted ?? value) : value;
  const problem = typeProblem(prop, read);
  if (problem !== undefined) return { problem };
  // A labelled value comes from a form that has read the options.
  if (options.length === 0 || isLabelled || prop.remoteOptions === true) return { value: read };
  return { problem: `must be one of ${listed(options)}` };
}

export const isListType = (type: string): boolean => type.endsWith('[]') && !type.startsWith('$.');

/** Whether two values are equal, as themselves or as their texts. */
export function isSame(offered: unknown, value: unknown): boolean {
  if (offered === undefined || offered === null) return false;
  if (isPlain(offered) && isPlain(value)) return String(offered) === String(value);
  return JSON.stringify(offered) === JSON.stringify(value);
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/**
 * A text, number or boolean in a type, undefined if the type cannot hold it. Every other type takes the value as it is.
 */
function inType(type: string, value: unknown): unknown {
  if (!isPlain(value)) return undefined;
  switch (type) {
    case 'string':
      return String(value);
    case 'integer':
    case 'number':
      return numberOf(value, type === 'integer' ? /^\s*[+-]?\d+\s*$/ : /\S/);
    case 'boolean':
      return String(value) === 'true' ? true : String(value) === 'false' ? false : undefined;
    default:
      return value;
  }
}

function numberOf(value: string | number | boolean, form: RegExp): number | undefined {
  if (typeof value === 'number') return value;
  const number = typeof value === 'string' && form.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function typeProblem(prop: TypedProp, value: unknown): string | undefined {
  switch (prop.type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'must be a string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'integer':
      return Number.isSafeInteger(value) ? boundProblem(prop, Number(value)) : 'must be an integer';
    case 'number':
      return Number.isFinite(value) ? boundProblem(prop, Number(value)) : 'must be a number';
    case 'object':
    case 'app':
      return isObject(value) ? undefined : 'must be an object';
    case 'http_request':
      return requestProblem(value);
    default:
      return undefined;
  }
}

function boundProblem({ min, max }: TypedProp, value: number): string | undefined {
  if (typeof min === 'number' && value < min) return `must be at least ${min}`;
  if (typeof max === 'number' && value > max) return `must be at most ${max}`;
  return undefined;
}

const REQUEST_TEXTS = ['url', 'method'];
/** Forms send these as `[{name, value}]`. */
const REQUEST_LISTS = ['headers', 'params', 'query'];

/** Checks only the members that are set: a component may add others before it sends the request. */
function requestProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object such as {"method": "GET", "url": "https://…"}';
  const wrong = (names: string[], isRight: (member: unknown) => boolean) =>
    names.find((name) => !isRight(Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined));
  const text = wrong(REQUEST_TEXTS, (member) => member === undefined || typeof member === 'string');
  if (text !== undefined) return `has a ${text} that must be a string`;
  const list = wrong(REQUEST_LISTS, (member) => member === undefined || typeof member === 'object');
  return list === undefined ? undefined : `has ${list} that must be an object or an array`;
}

const MAX_LISTED = 20;

const listed = (options: readonly unknown[]): string =>
  options
    .slice(0, MAX_LISTED)
    .map((option) => JSON.stringify(option))
    .join(', ') + (options.length > MAX_LISTED ? ', …' : '');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isLabel = (value: unknown): value is { __lv: unknown } => isObject(value) && Object.hasOwn(value, '__lv');

const valueIn = (labelled: unknown): unknown =>
  isObject(labelled) && Object.hasOwn(labelled, 'value') ? labelled['value'] : labelled;

/** The value of a declared option: a value, `{label, value}`, or that below `__lv`. */
const optionValue = (option: unknown): unknown => (isLabel(option) ? unlabelled(option) : valueIn(option));

/** Unwraps values that forms send with a label: `{__lv: {label, value}}`, or a list of those. */
function unlabelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unlabelled);
  if (!isLabel(value)) return value;
  const { __lv: labelled } = value;
  return Array.isArray(labelled) ? labelled.map(valueIn) : valueIn(labelled);
}

/** The input with its labels, and the values that were read in their places. */
export function relabelled(input: unknown, read: unknown): unknown {
  if (Array.isArray(input) && Array.isArray(read)) return input.map((member, index) => relabelled(member, read[index]));
  if (!isLabel(input)) return read;
  const { __lv: labelled } = input;
  if (Array.isArray(labelled) && Array.isArray(read))
    return { __lv: labelled.map((member, index) => withValue(member, read[index])) };
  return { __lv: withValue(labelled, read) };
}

const withValue = (labelled: unknown, value: unknown): unknown =>
  isObject(labelled) && Object.hasOwn(labelled, 'value') ? { ...labelled, value } : value;
