import type { PropDeclaration } from '../declarations.ts';
import { type Dict, isDict } from '../guards.ts';

/** Values that reach the run and nothing else. */
export interface HiddenValues {
  /** Long enough to be told from anything else: never shown, whoever says them. */
  credentials: ReadonlySet<string>;
  /** Who or where an account is, and whatever is short: data of the account's own may rightly hold them. */
  others: ReadonlySet<string>;
}

/** Shorter values occur in ordinary text; only where they stand by themselves can they be told from it. */
const SHORTEST = 6;
export const isShort = (value: string): boolean => value.length < SHORTEST;

/** Parts of names that say so, whatever the rest of the name or the value looks like. */
const CREDENTIAL =
  /token|secret|key|password|passphrase|passcode|passwd|credential|private|signature|webhook|session|cookie|bearer|jwt|auth$|(^|_)(pass|pwd|pin|otp|totp|mfa|pat|cert|pem)(_|$)/i;
/** Says how a credential is used. */
const MANNER = /^(oauth_)?((token|grant|auth|key)_type|expires(_at|_in|_on)?|token_expir\w*|scopes?)$/i;
/** Who or where an account is. */
const IDENTITY =
  /^(oauth_)?(uid|user|user_?name|login|handle|nick_?name|e?mail|phone|name|host|server|port|protocol|domain|sub_?domain|region|zone|data_?cent(er|re)|cluster|environment|env|mode|version|country|locale|language|time_?zone|site|shop|store|team|workspace|tenant|instance|account|company|database|bucket|organi[sz]ation|(account_)?sid|(user|account|team|site|shop|store|workspace|project|tenant|company|org(ani[sz]ation)?)_?(id|name)|\w+_(id|uid|name|login|email|phone|number|host|port|domain|sub_?domain|region|version))$/i;
/** A host's last label tells it from tokens with dots in them. */
const HOST = /^([a-z0-9_-]{1,63}\.)+([a-z]{2,18}|xn--[a-z0-9-]+)\.?(:\d+)?$|^(\d{1,3}\.){3}\d{1,3}(:\d+)?$/i;
const EMAIL = /^[^\s@:/]+@[^\s@:/]+\.[a-z0-9-]+$/i;
/** Without a name and password, query or fragment. */
const URL_OF_PLACE = /^[a-z][a-z+.-]*:\/\/[^\s/?#@]+((?:\/[^\s?#/]*)*)$/i;
/** A part of a path that nobody thought up: such addresses are secrets themselves. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i;

/** Unknown names are credentials. */
export function isCredential(field: string, value: string): boolean {
  if (MANNER.test(field)) return false;
  return CREDENTIAL.test(field) || !(IDENTITY.test(field) || isAddress(value));
}

function isAddress(value: string): boolean {
  if (HOST.test(value) || EMAIL.test(value)) return true;
  const path = URL_OF_PLACE.exec(value)?.[1];
  return path !== undefined && !path.split('/').some((part) => RANDOM.test(part));
}

/** Every field of every account among the props, and every prop declared `secret`. */
export function hiddenValues(props: Dict, declarations: readonly PropDeclaration[] = []): HiddenValues {
  const credentials = new Set<string>();
  const others = new Set<string>();
  for (const [field, value] of [...accountFields(props), ...secretProps(props, declarations)]) {
    if (value === '') continue;
    const isHidden = !isShort(value) && (field === undefined || isCredential(field, value));
    (isHidden ? credentials : others).add(value);
  }
  for (const value of credentials) others.delete(value);
  return { credentials, others };
}

/** Whether there is an account, with fields or without. */
export const hasAccount = (props: Dict): boolean => Object.values(props).some(isAccount);

/** What of the props the user said himself, in the open. */
export function ownWords(props: Dict, declarations: readonly PropDeclaration[] = []): Dict {
  const secret = new Set(declarations.filter(isSecret).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(props).filter(([name, value]) => !isAccount(value) && !secret.has(name)),
  );
}

type Named = [field: string | undefined, value: string];

const accountFields = (props: Dict): Named[] =>
  Object.values(props).flatMap((value) => (isAccount(value) ? texts(value['$auth']) : []));

const secretProps = (props: Dict, declarations: readonly PropDeclaration[]): Named[] =>
  declarations
    .filter(isSecret)
    .flatMap(({ name }) => texts({ [name]: props[name] }))
    .map(([, value]): Named => [undefined, value]);

const isAccount = (value: unknown): value is { $auth: Dict } => isDict(value) && isDict(value['$auth']);

const isSecret = ({ fields }: PropDeclaration): boolean => fields['secret'] === true;

/** Every text and number at any depth, with the name of the field it stands in. */
function texts(value: Dict): Named[] {
  return Object.entries(value).flatMap(([field, inner]): Named[] => {
    if (typeof inner === 'string') return [[field, inner]];
    if (typeof inner === 'number') return [[field, String(inner)]];
    if (Array.isArray(inner)) return inner.flatMap((item) => texts({ [field]: item }));
    return isDict(inner) ? texts(inner) : [];
  });
}
