import type { PropDeclaration } from './declarations.ts';
import { type Dict, isDict } from './guards.ts';

export interface Hiding {
  /** For logs and errors: every field of an account and every secret prop. */
  inText: (text: string) => string;
  /** For events: only what is a credential by its field's name, since data may rightly hold an account's host or user. */
  inEvent: (json: string) => string;
}

const HIDDEN = '[hidden]';
/** Shorter values occur in ordinary text; hiding them would garble it and tell where they were. */
const SHORTEST = 6;
const CREDENTIAL = /token|secret|key|password|passphrase|credential|private|signature|auth$/i;

/** Values that reach the run and nothing else: fields of connected accounts, and props declared `secret`. */
export function hiding(props: Dict, declarations: readonly PropDeclaration[]): Hiding {
  const all = new Set<string>();
  const credentials = new Set<string>();
  for (const value of Object.values(props)) {
    if (!isDict(value) || !isDict(value['$auth'])) continue;
    for (const [field, text] of texts(value['$auth'])) {
      all.add(text);
      if (CREDENTIAL.test(field)) credentials.add(text);
    }
  }
  for (const { name, fields } of declarations) {
    if (fields['secret'] !== true) continue;
    for (const [, text] of texts({ [name]: props[name] })) {
      all.add(text);
      credentials.add(text);
    }
  }
  return { inText: hider(all), inEvent: hider(credentials) };
}

/** Every text at any depth, with the name of the field it stands in. */
function texts(value: Dict): [string, string][] {
  return Object.entries(value).flatMap(([field, inner]): [string, string][] => {
    if (typeof inner === 'string') return inner.length >= SHORTEST ? [[field, inner]] : [];
    if (Array.isArray(inner)) return inner.flatMap((item) => texts({ [field]: item }));
    return isDict(inner) ? texts(inner) : [];
  });
}

function hider(secrets: Set<string>): (text: string) => string {
  if (secrets.size === 0) return (text) => text;
  // As written, and as it stands inside JSON; the longest first, since one may contain another.
  const spellings = new Set([...secrets].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const sorted = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}
