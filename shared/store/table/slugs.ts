import type { UserId } from '../../domain/id.ts';
import { SLUG_PREFIX, slugKey } from './keys.ts';
import { beginningWith, queryAll, type TableOptions } from './table-client.ts';

/** The slugs in use among which a free number for `slug` is chosen. */
export async function takenSlugs(table: TableOptions, ownerId: UserId, slug: string): Promise<Set<string>> {
  // A number may shorten a long slug; the prefix of 32 characters covers every candidate.
  const { pk, sk } = slugKey(ownerId, slug.slice(0, 32));
  const items = await queryAll(table, { ...beginningWith(pk, sk), ProjectionExpression: 'sk' });
  return new Set(items.map((item) => String(item['sk']).slice(SLUG_PREFIX.length)));
}
