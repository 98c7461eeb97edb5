import {
  GetScheduleCommand,
  ListSchedulesCommand,
  type ListSchedulesCommandOutput,
  type SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { type FoundSchedule, UTC } from './found-schedule.ts';

/** An entry of the list of schedules. */
export interface ListedSchedule {
  name: string;
  /** Epoch ms. */
  changedAt: number;
}

/** Reads schedules, for the operator's commands. */
export interface ScheduleReader {
  /** Undefined when it does not exist. */
  find(name: string): Promise<FoundSchedule | undefined>;
  /** The schedules of the group, a page at a time. */
  pages(): AsyncGenerator<ListedSchedule[]>;
}

export function createScheduleReader({
  scheduler,
  groupName,
}: {
  scheduler: () => SchedulerClient;
  groupName: string;
}): ScheduleReader {
  return {
    async find(name) {
      const found = await scheduler()
        .send(new GetScheduleCommand({ Name: name, GroupName: groupName }))
        .catch((error: unknown) => {
          if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
          throw error;
        });
      return (
        found && {
          expression: found.ScheduleExpression ?? '',
          timezone: found.ScheduleExpressionTimezone ?? UTC,
          queueArn: found.Target?.Arn ?? '',
          groupId: found.Target?.SqsParameters?.MessageGroupId,
          input: found.Target?.Input ?? '',
          changedAt: found.LastModificationDate?.getTime() ?? 0,
        }
      );
    },

    async *pages() {
      let NextToken: string | undefined;
      do {
        const request = new ListSchedulesCommand({ GroupName: groupName, ...(NextToken && { NextToken }) });
        const page: ListSchedulesCommandOutput = await scheduler().send(request);
        yield (page.Schedules ?? []).flatMap(({ Name: name, LastModificationDate: changed }) =>
          name === undefined ? [] : [{ name, changedAt: changed?.getTime() ?? 0 }],
        );
        ({ NextToken } = page);
      } while (NextToken !== undefined);
    },
  };
}
