import { type Dict, isDict } from '../guards.ts';
import { isPublicField } from './public-values.ts';

/** Values of the account fields and the secret props of one source. */
export interface AccountValues {
  /** Redacted everywhere. */
  credentials: ReadonlySet<string>;
  /** Known public values: redacted in logs and errors only, because the upstream's own data may hold them. */
  publicValues: ReadonlySet<string>;
}

/** The part of a prop's declaration that matters here. */
interface Declaration {
  name: string;
  fields: Dict;
}

/** A flag reveals nothing, and redacting it would change ordinary data. */
const FLAG = /^(true|false|yes|no|on|off)$/i;

export function accountValues(props: Dict, declarations: readonly Declaration[] = []): AccountValues {
  const secretProps = declarations.filter(({ fields }) => fields['secret'] === true);
  const secrets = secretProps.flatMap(({ name }) => fieldsIn(props[name]).map(([, value]) => value));
  const fields = Object.values(props)
    .filter(isAccount)
    .flatMap(({ $auth }) => fieldsIn($auth));
  const credentials = [
    ...secrets,
    ...valuesOf(fields.filter(([name, value]) => !isPublicField(name, value))),
  ];
  const publicValues = valuesOf(fields).filter((value) => !credentials.includes(value));
  const isTelling = (value: string) => value !== '' && !FLAG.test(value);
  return {
    credentials: new Set(credentials.filter(isTelling)),
    publicValues: new Set(publicValues.filter(isTelling)),
  };
}

/** Whether a prop is a connected account, with or without fields. */
export const hasAccount = (props: Dict): boolean => Object.values(props).some(isAccount);

type Field = readonly [name: string, value: string];

const valuesOf = (fields: readonly Field[]): string[] => fields.map(([, value]) => value);

const isAccount = (value: unknown): value is { $auth: Dict } => isDict(value) && isDict(value['$auth']);

/** Every text and number at any depth, with the name of its field. */
function fieldsIn(value: unknown, name = ''): Field[] {
  if (typeof value === 'string' || typeof value === 'number') return [[name, String(value)]];
  if (Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, name));
  return isDict(value) ? Object.entries(value).flatMap(([field, inner]) => fieldsIn(inner, field)) : [];
}
