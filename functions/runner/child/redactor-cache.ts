import type { PropDeclaration } from '../../../shared/runtime/declarations.ts';
import type { Dict } from '../../../shared/runtime/guards.ts';
import { credentialsIn } from '../../../shared/runtime/redaction/credentials.ts';
import { EarlierCredentials } from '../../../shared/runtime/redaction/earlier-credentials.ts';
import { Redactor } from '../../../shared/runtime/redaction/redactor.ts';

/**
 * The last redactor: requests to one child have the same credentials until the account or the configuration changes.
 */
let last: { key: string; redactor: Redactor } | undefined;
const earlier = new EarlierCredentials();

export function redactorFor(props: Dict, declarations: readonly PropDeclaration[]): Redactor {
  const credentials = credentialsIn(props, declarations);
  const key = JSON.stringify([...credentials]);
  if (last?.key === key) return last.redactor;
  const redactor = new Redactor(earlier.addTo(credentials));
  last = { key, redactor };
  return redactor;
}
