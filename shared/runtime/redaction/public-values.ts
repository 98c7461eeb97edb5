import { isShort } from './forms.ts';

/** Field names of credentials, whatever the rest of the name or the value looks like. */
const CREDENTIAL =
  /token|secret|key|password|passphrase|passcode|passwd|credential|private|signature|webhook|session|cookie|bearer|jwt|auth$|(^|_)(pass|pwd|pin|otp|totp|mfa|pat|cert|pem)(_|$)/i;
/** Names of fields that describe how a credential is used. */
const USAGE = /^(oauth_)?((token|grant|auth|key)_type|expires(_at|_in|_on)?|token_expir\w*|scopes?)$/i;
/** Names of fields that identify or locate the account. */
const IDENTITY =
  /^(oauth_)?(uid|user|user_?name|login|handle|nick_?name|e?mail|phone|name|host|server|port|protocol|domain|sub_?domain|region|zone|data_?cent(er|re)|cluster|environment|env|mode|version|country|locale|language|time_?zone|site|shop|store|team|workspace|tenant|instance|account|company|database|bucket|organi[sz]ation|(account_)?sid|(user|account|team|site|shop|store|workspace|project|tenant|company|org(ani[sz]ation)?)_?(id|name)|(account|phone|customer|company)_number|\w+_(id|uid|name|login|email|phone|host|port|domain|sub_?domain|region|version))$/i;
/** The last label distinguishes a host from a token with dots. */
const HOST = /^([a-z0-9_-]{1,63}\.)+([a-z]{2,18}|xn--[a-z0-9-]+)\.?(:\d+)?$|^(\d{1,3}\.){3}\d{1,3}(:\d+)?$/i;
const EMAIL = /^[^\s@:/]+@[^\s@:/]+\.[a-z0-9-]+$/i;
/** A URL without user, password, query and fragment; the group is its path. */
const PLAIN_URL = /^[a-z][a-z+.-]*:\/\/[^\s/?#@]+((?:\/[^\s?#/]*)*)$/i;
/** A path segment like those of secret webhook addresses. */
const RANDOM_SEGMENT = /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i;

/**
 * Whether the value of an account's field is public, so that an upstream's data may hold it: the field's name or value tells who or where the
 * account is, or how a credential is used. A field with an unknown name is a credential, unless its value is so short that it occurs in
 * ordinary data.
 */
export function isPublicField(field: string, value: string): boolean {
  if (USAGE.test(field)) return true;
  if (CREDENTIAL.test(field)) return false;
  return isShort(value) || IDENTITY.test(field) || isAddress(value);
}

function isAddress(value: string): boolean {
  if (HOST.test(value) || EMAIL.test(value)) return true;
  const path = PLAIN_URL.exec(value)?.[1];
  return path !== undefined && !path.split('/').some((segment) => RANDOM_SEGMENT.test(segment));
}
