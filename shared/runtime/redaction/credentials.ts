import { type Dict, isDict } from '../guards.ts';
import { isPublicField } from './public-fields.ts';

/** The part of a prop's declaration that matters here. */
interface Declaration {
  name: string;
  fields: Dict;
}

/** A flag reveals nothing, and redacting it would change ordinary data. */
const FLAG = /^(true|false|yes|no|on|off)$/i;

/** The credentials of one source: the secret props, and the account fields that are not public. */
export function credentialsIn(props: Dict, declarations: readonly Declaration[] = []): ReadonlySet<string> {
  const secretProps = declarations.filter(({ fields }) => fields['secret'] === true);
  const secrets = secretProps.flatMap(({ name }) => fieldsIn(props[name]));
  const fields = Object.values(props)
    .filter(isAccount)
    .flatMap(({ $auth }) => fieldsIn($auth))
    .filter(([name, value]) => !isPublicField(name, value));
  const values = [...secrets, ...fields].map(([, value]) => value);
  return new Set(values.filter((value) => value !== '' && !FLAG.test(value)));
}

/** Whether a prop is a connected account, with or without fields. */
export const hasAccount = (props: Dict): boolean => Object.values(props).some(isAccount);

type Field = readonly [name: string, value: string];

const isAccount = (value: unknown): value is { $auth: Dict } => isDict(value) && isDict(value['$auth']);

/** Every text and number at any depth, with the names that lead to it. */
function fieldsIn(value: unknown, name = ''): Field[] {
  if (typeof value === 'string' || typeof value === 'number') return [[name, String(value)]];
  if (Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, name));
  if (!isDict(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => fieldsIn(inner, name === '' ? field : `${name}.${field}`));
}
