import * as z from 'zod';
import { isNoticesId, NOTICES_NAME } from '../../../shared/domain/notice/notices-emitter.ts';
import type { Api } from './api.ts';
import { inBatches } from '../events/in-batches.ts';
import { isNotFound } from '../failures.ts';

const Named = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  name_slug: z.string().optional(),
  url: z.string().optional(),
});
type Named = z.infer<typeof Named>;

/** More ids than this are looked up in the list of their kind. */
const MAX_SINGLE_READS = 16;

const KINDS = [
  { prefix: 'dc_', list: '/users/me/sources', path: '/sources/' },
  { prefix: 'wh_', list: '/users/me/webhooks', path: '/webhooks/' },
  { prefix: 'p_', list: '/users/me/workflows', path: undefined },
] as const;

export type NameOf = (id: string | null | undefined) => string;

/** Names for ids of sources, webhooks and workflows in a table. An id without a name, such as `dc_*`, is its own. */
export async function namesOf(
  api: Pick<Api, 'get' | 'list'>,
  ids: readonly (string | null | undefined)[],
): Promise<NameOf> {
  const wanted = [...new Set(ids.flatMap((id) => (id == null || id.endsWith('*') || isNoticesId(id) ? [] : [id])))];
  const found = await Promise.all(
    KINDS.map((kind) =>
      read(
        api,
        kind,
        wanted.filter((id) => id.startsWith(kind.prefix)),
      ),
    ),
  );
  const names = new Map(found.flat().map((item) => [item.id, nameIn(item)]));
  return (id) => (id == null ? '' : isNoticesId(id) ? NOTICES_NAME : (names.get(id) ?? id));
}

/** The name by which commands take it. */
const nameIn = ({ id, name, name_slug: slug, url }: Named): string => slug ?? name ?? url ?? id;

async function read(
  api: Pick<Api, 'get' | 'list'>,
  { list, path }: (typeof KINDS)[number],
  ids: readonly string[],
): Promise<Named[]> {
  if (ids.length === 0) return [];
  if (path === undefined || ids.length > MAX_SINGLE_READS) return (await unlessMissing(api.list(list, Named))) ?? [];
  const items = await inBatches(ids, (id) => unlessMissing(api.get(path + encodeURIComponent(id), Named)));
  return items.filter((item) => item !== undefined);
}

/** Undefined for what was deleted, and for a list that an earlier release lacks. */
const unlessMissing = <T>(request: Promise<T>): Promise<T | undefined> =>
  request.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
