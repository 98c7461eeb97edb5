import { NOTICES_NAME } from '../../../shared/domain/notice/notice-names.ts';
import { isNoticesId } from '../../../shared/domain/notice/notices-emitter.ts';
import type { Api } from './api.ts';
import { inBatches } from '../events/in-batches.ts';
import { unlessMissing } from '../failures.ts';
import { Named } from '../input/resolve-name.ts';

/** More ids than this are looked up in the list of their kind. */
const MAX_SINGLE_READS = 16;

const KINDS = [
  { prefix: 'dc_', list: '/users/me/sources', path: '/sources/' },
  { prefix: 'wh_', list: '/users/me/webhooks', path: '/webhooks/' },
  { prefix: 'p_', list: '/users/me/workflows', path: undefined },
] as const;
type Kind = (typeof KINDS)[number];

export type NameOf = (id: string | null | undefined) => string;

/** Names for ids of sources, webhooks and workflows in a table. An id without a name, such as `dc_*`, is its own. */
export async function namesOf(
  api: Pick<Api, 'get' | 'list'>,
  ids: readonly (string | null | undefined)[],
): Promise<NameOf> {
  const wanted = [...new Set(ids.flatMap((id) => (id == null || id.endsWith('*') || isNoticesId(id) ? [] : [id])))];
  const idsOf = ({ prefix }: Kind) => wanted.filter((id) => id.startsWith(prefix));
  const found = await Promise.all(KINDS.map((kind) => read(api, kind, idsOf(kind))));
  const names = new Map(found.flat().map((item) => [item.id, nameIn(item)]));
  return (id) => (id == null ? '' : isNoticesId(id) ? NOTICES_NAME : (names.get(id) ?? id));
}

/** The name by which commands take it. */
const nameIn = ({ id, name, name_slug: slug, url }: Named): string => slug ?? name ?? url ?? id;

async function read(api: Pick<Api, 'get' | 'list'>, { list, path }: Kind, ids: readonly string[]): Promise<Named[]> {
  if (ids.length === 0) return [];
  if (path === undefined || ids.length > MAX_SINGLE_READS) return (await unlessMissing(api.list(list, Named))) ?? [];
  const items = await inBatches(ids, (id) => unlessMissing(api.get(path + encodeURIComponent(id), Named)));
  return items.filter((item) => item !== undefined);
}
