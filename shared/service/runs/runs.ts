import { type Commit, commitRuns } from '../commit/commit.ts';
import type { CommitContext } from '../commit/commit-context.ts';
import { executeDedupeReset } from './dedupe-reset.ts';
import { type DeletionContext, executeDeletion, executePurge, type PurgeContext } from './deletion.ts';
import { drainBacklog, type DrainBacklogContext } from '../backlog/drain-backlog.ts';
import { moveTriggers, type MoveTriggersContext } from '../backlog/move-triggers.ts';
import { executeGroup, type ExecuteGroupContext } from './execute-group.ts';
import { executeRuns, type ExecuteRunsContext } from './execute-runs.ts';
import { executeLifecycle, type LifecycleContext } from './lifecycle.ts';
import { executeNotices, type NoticesContext } from '../notices/execute-notices.ts';
import type { PlanContext } from './plan.ts';
import { type Group, type GroupResult, isOfBacklog } from '../../domain/run/received-trigger.ts';

type Executors =
  | 'executeRuns'
  | 'executeNotices'
  | 'executeLifecycle'
  | 'executeDeletion'
  | 'executeDedupeReset'
  | 'executePurge';

/** Everything that executing a trigger needs. */
export type RunsOptions = CommitContext &
  PlanContext &
  PurgeContext &
  Omit<ExecuteRunsContext, 'commit' | 'plan'> &
  Omit<LifecycleContext, 'commit'> &
  Omit<NoticesContext, 'commit'> &
  Omit<DeletionContext, 'commit'> &
  Omit<ExecuteGroupContext, Executors> &
  MoveTriggersContext &
  Omit<DrainBacklogContext, 'execute'>;

/** Executes the triggers of one emitter, or its backlog, in order. */
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
    executeDedupeReset: (input) => executeDedupeReset(context, input),
    executePurge: (input) => executePurge(options, input),
  };
  const drain: DrainBacklogContext = { ...options, execute: (own) => executeGroup(group, own) };
  return (own) =>
    own.received.some(isOfBacklog)
      ? drainBacklog(drain, own)
      : executeGroup(group, own, (input) => moveTriggers(options, { ...input, queue: own.queue }));
}
