import {
  GetScheduleCommand,
  ListSchedulesCommand,
  type ListSchedulesCommandOutput,
  type SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { type FoundSchedule, UTC } from './found-schedule.ts';

export interface ListedSchedule {
  name: string;
  /** Epoch ms. */
  changedAt: number;
}

export type ScheduleReader = ReturnType<typeof createScheduleReader>;

export function createScheduleReader({
  scheduler,
  groupName,
}: {
  scheduler: () => SchedulerClient;
  groupName: string;
}) {
  return {
    /** Undefined when it does not exist. */
    async find(name: string): Promise<FoundSchedule | undefined> {
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

    async *pages(): AsyncGenerator<ListedSchedule[]> {
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
