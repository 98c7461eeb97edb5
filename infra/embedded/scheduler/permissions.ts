import type { Input, RequiredPermission } from '../call.ts';
import type { SchedulerContext } from './context.ts';
import { nameIn } from './schedule-name.ts';

/** An action on the schedule that the input names. */
export const schedulePermission =
  (action: string) =>
  (input: Input, context: SchedulerContext): readonly RequiredPermission[] => [
    { action, resource: context.arnOf(nameIn(input)) },
  ];

/** An action on the schedule, and `iam:PassRole` for the role of its target. */
export const targetPermission =
  (action: string) =>
  (input: Input, context: SchedulerContext): readonly RequiredPermission[] => {
    const own = { action, resource: context.arnOf(nameIn(input)) };
    const role = (input['Target'] as Input | undefined)?.['RoleArn'];
    if (typeof role !== 'string') return [own];
    const passed = { 'iam:PassedToService': 'scheduler.amazonaws.com' };
    return [own, { action: 'iam:PassRole', resource: role, context: passed }];
  };

/** AWS authorises a list against the schedules of the group. */
export const listPermission = (input: Input, { arnOf }: SchedulerContext): readonly RequiredPermission[] => {
  const groupName = input['GroupName'];
  return [
    {
      action: 'scheduler:ListSchedules',
      resource: arnOf({ groupName: typeof groupName === 'string' ? groupName : '*', name: '*' }),
    },
  ];
};
