import { commitRuns } from '../commit/commit.ts';
import type { CommitContext } from '../commit/commit-context.ts';
import { drainBacklog, type DrainBacklogContext } from '../backlog/drain-backlog.ts';
import { moveTriggers, type MoveTriggersContext } from '../backlog/move-triggers.ts';
import { executeGroup, type ExecuteGroupContext } from './execute-group.ts';
import type { PlanContext } from './plan.ts';
import { type Group, type GroupResult, isOfBacklog, isRepeated } from '../../domain/run/received-trigger.ts';

export type RunsOptions = CommitContext &
  PlanContext &
  Omit<ExecuteGroupContext, 'commit' | 'plan'> &
  MoveTriggersContext &
  Omit<DrainBacklogContext, 'execute'>;

/** Executes the triggers of one emitter, or its backlog, in order. */
export function createRuns(options: RunsOptions): (group: Group) => Promise<GroupResult> {
  const contextOf = (own: Group): ExecuteGroupContext => ({
    ...options,
    plan: options,
    commit: (work) => commitRuns(options, { ...work, isRepeated: isRepeated(own) }),
  });
  const drain: DrainBacklogContext = { ...options, execute: (own) => executeGroup(contextOf(own), own) };
  return (own) =>
    own.received.some(isOfBacklog)
      ? drainBacklog(drain, own)
      : executeGroup(contextOf(own), own, (input) => moveTriggers(options, { ...input, queue: own.queue }));
}
