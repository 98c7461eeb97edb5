import { type CommitContext, commitRuns } from './commit.ts';
import { type DeletionContext, executeDeletion, executePurge, type PurgeContext } from './deletion.ts';
import { executeGroup, type ExecuteGroupContext, type GroupResult } from './execute-group.ts';
import { executeRuns, type ExecuteRunsContext } from './execute-runs.ts';
import { executeLifecycle, type LifecycleContext } from './lifecycle.ts';
import type { PlanContext } from './plan.ts';
import type { Group } from './received-trigger.ts';

type Executors = 'executeRuns' | 'executeLifecycle' | 'executeDeletion' | 'executePurge';

/** Everything that executing a trigger needs. */
export type RunsOptions = CommitContext &
  PlanContext &
  PurgeContext &
  Omit<ExecuteRunsContext, 'commit' | 'plan'> &
  Omit<LifecycleContext, 'commit'> &
  Omit<DeletionContext, 'commit'> &
  Omit<ExecuteGroupContext, Executors>;

/** Executes the triggers of one emitter, in order. */
export function createRuns(options: RunsOptions): (group: Group) => Promise<GroupResult> {
  const context = {
    ...options,
    commit: (work: Parameters<typeof commitRuns>[1]) => commitRuns(options, work),
  };
  return (group) =>
    executeGroup(
      {
        ...options,
        executeRuns: (runs) => executeRuns({ ...context, plan: options }, runs),
        executeLifecycle: (input) => executeLifecycle(context, input),
        executeDeletion: (input) => executeDeletion(context, input),
        executePurge: (input) => executePurge(options, input),
      },
      group,
    );
}
