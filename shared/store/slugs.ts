import type { UserId } from '../domain/id.ts';
import { SLUG_PREFIX, slugKey } from './keys.ts';
import { beginningWith, queryAll, type TableOptions } from './table-client.ts';

/** The slugs of a user's sources among which the free numbers of `slug` are. */
export async function takenSlugs(table: TableOptions, ownerId: UserId, slug: string): Promise<Set<string>> {
  // Numbers may shorten a long slug: what begins with its first half covers every choice.
  const { pk, sk } = slugKey(ownerId, slug.slice(0, 32));
  const items = await queryAll(table, { ...beginningWith(pk, sk), ProjectionExpression: 'sk' });
  return new Set(items.map(({ sk: taken }) => String(taken).slice(SLUG_PREFIX.length)));
}
