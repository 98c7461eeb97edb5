import * as z from 'zod';
import { hasAtMost } from '../../../shared/lib/cut.ts';
import { NOTICES_NAME } from '../../../shared/domain/notice/notice-names.ts';
import { LONGEST } from '../../../shared/domain/text.ts';
import type { Api } from '../session/api.ts';
import { suggestion } from './closest.ts';
import { CommandFailure, unknownName, unlessMissing } from '../failures.ts';

export const Named = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  name_slug: z.string().optional(),
  key: z.string().nullish(),
  url: z.string().optional(),
});
export type Named = z.infer<typeof Named>;

type Handle = (item: Named) => string | null | undefined;

export interface Kind {
  noun: string;
  /** A text that begins so is an id. */
  prefixes: readonly string[];
  list: string;
  /** The list takes `q`. */
  isSearchable: boolean;
  /** Names of an item, step by step: the first step with matches decides. */
  handles: readonly Handle[];
}

const name: Handle = (item) => item.name;

const SOURCE: Kind = {
  noun: 'source',
  prefixes: ['dc_'],
  list: '/users/me/sources',
  isSearchable: true,
  handles: [(item) => item.name_slug, name],
};
const WEBHOOK: Kind = {
  noun: 'webhook',
  prefixes: ['wh_'],
  list: '/users/me/webhooks',
  isSearchable: true,
  handles: [name, (item) => item.url],
};
export const COMPONENT: Kind = {
  noun: 'component',
  prefixes: ['sc_'],
  list: '/users/me/components',
  isSearchable: true,
  handles: [(item) => item.key, name],
};
const WORKFLOW: Kind = {
  noun: 'workflow',
  prefixes: ['p_'],
  list: '/users/me/workflows',
  isSearchable: false,
  // A source's slug comes before names, also before those of workflows.
  handles: [() => undefined, name],
};
export const ACCOUNT: Kind = {
  noun: 'account',
  prefixes: ['apn_'],
  list: '/users/me/accounts',
  isSearchable: false,
  handles: [name],
};
export const API_KEY: Kind = {
  noun: 'key',
  prefixes: ['key_'],
  list: '/keys',
  isSearchable: false,
  handles: [name],
};
export const EMITTERS: readonly Kind[] = [SOURCE, WORKFLOW];
export const LISTENERS: readonly Kind[] = [SOURCE, WORKFLOW, WEBHOOK];

const nounOf = (kinds: readonly Kind[]): string =>
  kinds
    .map(({ noun }) => noun)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

/** The id for a text: an id, the name of a thing of one of the kinds, or `notices` for the user's own notices. */
export async function idNamed(api: Api, kinds: readonly Kind[], text: string): Promise<string> {
  if (kinds.some(({ prefixes }) => prefixes.some((prefix) => text.startsWith(prefix)))) return text;
  const noun = nounOf(kinds);
  const candidates = (await Promise.all(kinds.map((kind) => itemsOf(api, kind, text)))).flat();
  const [only, ...others] = firstMatches(candidates, text);
  if (only === undefined && text === NOTICES_NAME && kinds.includes(SOURCE)) return noticesId(api);
  if (only === undefined) throw unknownName(await unknown(api, kinds, text));
  if (others.length > 0) throw ambiguous(noun, text, [only, ...others]);
  return only.item.id;
}

/** The id of the emitter of the user's notices. */
export const noticesId = async (api: Api): Promise<string> =>
  (await api.get('/users/me/notices', z.looseObject({ id: z.string() }))).id;

export const sourceNamed = (api: Api, text: string) => idNamed(api, [SOURCE], text);
export const webhookNamed = (api: Api, text: string) => idNamed(api, [WEBHOOK], text);

/** Paths of the API for the deliveries of a webhook that is named. */
export const deliveriesPath = async (api: Api, webhook: string): Promise<string> =>
  `/webhooks/${encodeURIComponent(await webhookNamed(api, webhook))}/deliveries`;
export const deliveryPath = async (api: Api, webhook: string, id: string): Promise<string> =>
  `${await deliveriesPath(api, webhook)}/${encodeURIComponent(id)}`;

interface Candidate {
  item: Named;
  kind: Kind;
}

async function itemsOf(api: Api, kind: Kind, q?: string): Promise<Candidate[]> {
  const isQuery = kind.isSearchable && q !== undefined && hasAtMost(q, LONGEST.search);
  const query = isQuery ? { q } : {};
  // A service of an earlier release has no list of workflows, accounts and components.
  const items = (await unlessMissing(api.list(kind.list, Named, { query }))) ?? [];
  return items.map((item) => ({ item, kind }));
}

function firstMatches(candidates: readonly Candidate[], text: string): Candidate[] {
  const steps = Math.max(0, ...candidates.map(({ kind }) => kind.handles.length));
  for (let step = 0; step < steps; step += 1) {
    const matches = candidates.filter(({ item, kind }) => kind.handles[step]?.(item) === text);
    if (matches.length > 0) return matches;
  }
  return [];
}

async function unknown(api: Api, kinds: readonly Kind[], text: string): Promise<string> {
  const all = (await Promise.all(kinds.map((kind) => itemsOf(api, kind)))).flat();
  const names = all.flatMap(({ item, kind }) => kind.handles.map((handle) => handle(item) ?? ''));
  const noun = nounOf(kinds);
  return `There is no ${noun} ${text}.${suggestion(text, names)}`;
}

function ambiguous(noun: string, text: string, matches: readonly Candidate[]): CommandFailure {
  const lines = matches.map(({ item }) => [item.id, item.name ?? '', item.name_slug ?? ''].join('  ').trimEnd());
  const error = [`More than one ${noun} is called ${text}; use an id:`, ...lines.map((line) => `  ${line}`)];
  return new CommandFailure(2, { error: error.join('\n'), code: 'ambiguous_name' });
}
