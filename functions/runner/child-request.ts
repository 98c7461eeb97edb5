import type { PropDefinition } from '../../shared/domain/prop-definition.ts';
import type { Job, RunLimits } from '../../shared/domain/run.ts';
import { type Dict, isDict } from '../../shared/runtime/guards.ts';

/** One line from the host to its child: jobs to run one after the other. */
export interface ChildRequest {
  /** Path of the bundle in the child's own directory. */
  bundle: string;
  sourceId: string;
  props: Dict;
  /** Props that `additionalProps` added or changed. */
  additionalProps?: PropDefinition[] | undefined;
  db: string;
  limits: RunLimits;
  /** Epoch ms from which on no job is started; the child then writes a line `stopped`. */
  startBefore?: number | undefined;
  jobs: Job[];
}

/** The host is trusted and has validated the request; this only restores its type. */
export const isChildRequest = (value: unknown): value is ChildRequest =>
  isDict(value) && typeof value['bundle'] === 'string' && Array.isArray(value['jobs']);

/** File descriptors of the child: requests come in on 3; lines go out on 4, which blocks. */
export const REQUESTS = 3;
export const LINES = 4;

/** A line for the host alone: no caller gets it. */
export interface OwnLine {
  k: 'ready' | 'stopped' | 'leaving';
}

/** Exit code of a child whose last job failed in a way that leaves the process unusable, and that started no other job. */
export const EXIT_BETWEEN_JOBS = 77;
