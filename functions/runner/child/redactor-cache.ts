import type { PropDeclaration } from '../../../shared/runtime/declarations.ts';
import type { Dict } from '../../../shared/runtime/guards.ts';
import { type AccountValues, accountValues } from '../../../shared/runtime/redaction/account-fields.ts';
import { Redactor } from '../../../shared/runtime/redaction/redactor.ts';

/** Earlier credentials that are redacted too; more make the search slower. */
const MAX_EARLIER = 20;

/** The last redactor: requests to one child have the same values until the account or the configuration changes. */
let last: { key: string; redactor: Redactor; values: AccountValues } | undefined;
/** Credentials of earlier requests, newest last: a variable of the component may hold a token that was renewed meanwhile. */
let earlier: readonly string[] = [];

export function redactorFor(props: Dict, declarations: readonly PropDeclaration[]): Redactor {
  const values = accountValues(props, declarations);
  const key = JSON.stringify([[...values.credentials], [...values.publicValues]]);
  if (last?.key === key) return last.redactor;
  earlier = [...new Set([...earlier, ...(last?.values.credentials ?? [])])]
    .filter((value) => !values.credentials.has(value))
    .slice(-MAX_EARLIER);
  const redactor = new Redactor({ ...values, credentials: new Set([...values.credentials, ...earlier]) });
  last = { key, redactor, values };
  return redactor;
}
