import { type Commit, commitRuns } from '../commit/commit.ts';
import type { CommitContext } from '../commit/commit-context.ts';
import { executeDedupeReset } from './dedupe-reset.ts';
import { type DeletionContext, executeDeletion, executePurge, type PurgeContext } from './deletion.ts';
import { drainBacklog, type DrainBacklogContext } from '../backlog/drain-backlog.ts';
import { moveTriggers, type MoveTriggersContext } from '../backlog/move-triggers.ts';
import { executeGroup, type ExecuteGroupContext } from './execute-group.ts';
import { executeRuns, type ExecuteRunsContext } from './execute-runs.ts';
import { executeLifecycle, type LifecycleContext } from './lifecycle.ts';
import { executeNotices, type NoticesContext } from './execute-notices.ts';
import type { PlanContext } from './plan.ts';
import { type Group, type GroupResult, isOfBacklog, isRepeated } from '../../domain/run/received-trigger.ts';

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
  const runs = { ...options, plan: options };
  const contextOf = (own: Group): ExecuteGroupContext => {
    const commit: Commit = (work) => commitRuns(options, { ...work, isRepeated: isRepeated(own) });
    return {
      ...options,
      executeRuns: (input) => executeRuns({ ...runs, commit }, input),
      executeNotices: (input) => executeNotices({ ...options, commit }, input),
      executeLifecycle: (input) => executeLifecycle({ ...options, commit }, input),
      executeDeletion: (input) => executeDeletion({ ...options, commit }, input),
      executeDedupeReset: (input) => executeDedupeReset({ ...options, commit }, input),
      executePurge: (input) => executePurge(options, input),
    };
  };
  const drain: DrainBacklogContext = { ...options, execute: (own) => executeGroup(contextOf(own), own) };
  return (own) =>
    own.received.some(isOfBacklog)
      ? drainBacklog(drain, own)
      : executeGroup(contextOf(own), own, (input) => moveTriggers(options, { ...input, queue: own.queue }));
}
