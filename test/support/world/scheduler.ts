import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { OPERATOR } from '../../../infra/embedded/iam/authorizer.ts';
import type { SchedulerService } from '../../../infra/embedded/scheduler/service.ts';
import { sdkPlugin } from '../../../infra/embedded/sdk-plugin.ts';
import { createScheduleReader } from '../../../shared/aws/scheduling/schedule-reader.ts';
import { createSchedules } from '../../../shared/aws/schedules.ts';

export const GROUP = 'sources';
export const ROLE = 'arn:aws:iam::000000000000:role/schedules';
export const queueArn = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;

/** The schedules of an embedded scheduler, which may be replaced by another on the same disk. */
export function schedulesOn(service: () => Pick<SchedulerService, 'call'>) {
  const client = new SchedulerClient({ region: 'us-east-1' });
  client.middlewareStack.use(
    sdkPlugin({ dispatch: ({ operation, input }) => service().call(operation, input), role: OPERATOR }),
  );
  const scheduling = { scheduler: () => client, groupName: GROUP };
  return {
    schedules: createSchedules({
      ...scheduling,
      roleArn: ROLE,
      deadLettersArn: queueArn('dead-schedules'),
    }),
    reader: createScheduleReader(scheduling),
  };
}
