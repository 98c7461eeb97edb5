import type { Schedule } from '../../aws/schedules.ts';
import type { ReconcileContext, ScheduleKind } from './reconcile-context.ts';

/** Creates a schedule unless it exists. A schedule that was made since the look stays as it is. */
export async function createMissing(
  { services: { reader, schedules }, counts }: ReconcileContext,
  kind: ScheduleKind,
  schedule: Schedule,
): Promise<void> {
  if (await reader.find(schedule.name)) return;
  counts.created[kind] += 1;
  await schedules.create(schedule);
}
