import { UserId } from '../../domain/id.ts';
import { MetricSubject, type SubjectList } from '../../domain/metrics/tally.ts';
import { USERS_PARTITION } from '../table/keys.ts';
import { nextPointedIds } from '../table/page.ts';
import { queryPage, type TableOptions, wholePartition } from '../table/table-client.ts';

export type MetricSubjects = ReturnType<typeof metricSubjects>;

/** Users, and their sources and webhooks, in pages: the work of the job that adds up metrics. */
export function metricSubjects(table: TableOptions) {
  return {
    /** The users after one, in the order of their ids. */
    async users(after: UserId | undefined, limit: number): Promise<UserId[]> {
      const items = await queryPage(table, {
        ...wholePartition(USERS_PARTITION),
        ConsistentRead: false,
        Limit: limit,
        ...(after === undefined ? {} : { ExclusiveStartKey: { pk: USERS_PARTITION, sk: after } }),
      });
      return items.map(({ sk }) => UserId.parse(sk));
    },

    /** The sources or webhooks of a user after one, in the order of their ids. */
    async ofUser(
      { ownerId, list, after }: { ownerId: UserId; list: SubjectList; after?: MetricSubject | undefined },
      limit: number,
    ): Promise<MetricSubject[]> {
      const ids = await nextPointedIds(table, { list, ownerId }, { from: after, upwards: true, limit });
      return ids.map((id) => MetricSubject.parse(id));
    },
  };
}
