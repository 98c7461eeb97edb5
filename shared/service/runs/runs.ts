import { type Commit, commitRuns } from '../commit/commit.ts';
import type { CommitContext } from '../commit/commit-context.ts';
import { type DeletionContext, executeDeletion, executePurge, type PurgeContext } from './deletion.ts';
import { executeGroup, type ExecuteGroupContext, type GroupResult } from './execute-group.ts';
import { executeRuns, type ExecuteRunsContext } from './execute-runs.ts';
import { executeLifecycle, type LifecycleContext } from './lifecycle.ts';
import { executeNotices, type NoticesContext } from '../notices/execute-notices.ts';
import type { PlanContext } from './plan.ts';
import type { Group } from './received-trigger.ts';

type Executors = 'executeRuns' | 'executeNotices' | 'executeLifecycle' | 'executeDeletion' | 'executePurge';

/** Everything that executing a trigger needs. */
export type RunsOptions = CommitContext &
  PlanContext &
  PurgeContext &
  Omit<ExecuteRunsContext, 'commit' | 'plan'> &
  Omit<LifecycleContext, 'commit'> &
  Omit<NoticesContext, 'commit'> &
  Omit<DeletionContext, 'commit'> &
  Omit<ExecuteGroupContext, Executors>;

/** Executes the triggers of one emitter, in order. */
export function createRuns(options: RunsOptions): (group: Group) => Promise<GroupResult> {
  const commit: Commit = (work) => commitRuns(options, work);
  const context = { ...options, commit };
  const runs = { ...context, plan: options };
  const group: ExecuteGroupContext = {
    ...options,
    executeRuns: (input) => executeRuns(runs, input),
    executeNotices: (input) => executeNotices(context, input),
    executeLifecycle: (input) => executeLifecycle(context, input),
    executeDeletion: (input) => executeDeletion(context, input),
    executePurge: (input) => executePurge(options, input),
  };
  return (own) => executeGroup(group, own);
}
