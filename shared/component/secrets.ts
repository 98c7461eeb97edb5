import { inspect } from 'node:util';
import type { PropDeclaration } from './declarations.ts';
import { type Dict, isDict } from './guards.ts';

export interface Hiding {
  /** For logs and errors: every field of an account and every secret prop. */
  inText: (text: string) => string;
  /** For events and answers, as JSON: all of them but addresses and names, which data may rightly hold. */
  inEvent: (json: string) => string;
}

const HIDDEN = '[hidden]';
/** Shorter values occur in ordinary text; hiding them would garble it and tell where they were. */
const SHORTEST = 6;
/** Parts of a value are hidden only if they are long enough to be told from anything else. */
const LONG = 12;
const CREDENTIAL = /token|secret|key|password|passphrase|passwd|credential|private|signature|auth$/i;
/** Who or where an account is: an event of the account's own may say so, if the field is no credential. */
const IDENTITY =
  /^(oauth_)?(uid|user|user_?name|login|e?mail|name|host|domain|sub_?domain|region|site|shop|store|team|workspace|organi[sz]ation|(user|account|team|site|shop|store|workspace|project|org(ani[sz]ation)?)_?(id|name)|\w+_id)$/i;
const ADDRESS =
  /^(https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?|[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?|[^\s@]+@[^\s@]+\.[a-z]+)$/i;

const mayBeInEvents = (field: string, text: string): boolean =>
  !CREDENTIAL.test(field) && (IDENTITY.test(field) || ADDRESS.test(text));

/** Values that reach the run and nothing else: fields of connected accounts, and props declared `secret`. */
export function hiding(props: Dict, declarations: readonly PropDeclaration[]): Hiding {
  const all = new Set<string>();
  const unfitForEvents = new Set<string>();
  for (const value of Object.values(props)) {
    if (!isDict(value) || !isDict(value['$auth'])) continue;
    for (const [field, text] of texts(value['$auth'])) {
      all.add(text);
      if (!mayBeInEvents(field, text)) unfitForEvents.add(text);
    }
  }
  for (const { name, fields } of declarations) {
    if (fields['secret'] !== true) continue;
    for (const [, text] of texts({ [name]: props[name] })) {
      all.add(text);
      unfitForEvents.add(text);
    }
  }
  return { inText: hider(all), inEvent: jsonHider(unfitForEvents) };
}

/** Every text at any depth, with the name of the field it stands in. */
function texts(value: Dict): [string, string][] {
  return Object.entries(value).flatMap(([field, inner]): [string, string][] => {
    if (typeof inner === 'string') return inner.length >= SHORTEST ? [[field, inner]] : [];
    if (Array.isArray(inner)) return inner.flatMap((item) => texts({ [field]: item }));
    return isDict(inner) ? texts(inner) : [];
  });
}

function hider(secrets: ReadonlySet<string>): (text: string) => string {
  if (secrets.size === 0) return (text) => text;
  // The longest first, since one may contain another.
  const sorted = [...new Set([...secrets].flatMap(spellings))].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

/**
 * As written, inside JSON, once more inside JSON, as the console shows it (line by line, if it has several), in an address, and as a part
 * of Base64, which is how names and passwords travel.
 */
const spellings = (secret: string): string[] => [
  secret,
  insideJson(secret),
  insideJson(insideJson(secret)),
  inspect(secret).slice(1, -1),
  ...secret.split(/\r?\n/).filter((line) => line.length >= LONG && line !== secret),
  encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd')),
  ...base64Cores(secret),
];

const insideJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** What of the Base64 depends on the secret alone, wherever in the encoded text it begins; only where that is long. */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const cores = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const long = cores.filter((core) => core.length >= LONG);
  return [...long, ...long.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** Replaces within the texts of a JSON document, and whole numbers, so that it stays one. */
function jsonHider(secrets: ReadonlySet<string>): (json: string) => string {
  const hide = hider(secrets);
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value);
    if (typeof value === 'number') return secrets.has(String(value)) ? HIDDEN : value;
    if (Array.isArray(value)) return value.map(shown);
    if (!isDict(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [hide(name), shown(inner)]));
  };
  return (json) => (hide(json) === json ? json : JSON.stringify(shown(JSON.parse(json))));
}
