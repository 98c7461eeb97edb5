import type { PropDefinition } from '../../shared/domain/prop-definition.ts';
import type { Job, RunLimits } from '../../shared/domain/run.ts';
import { type Dict, isDict } from '../../shared/runtime/guards.ts';

/** What the host sends its child on one line: jobs to do one after the other. */
export interface ChildRequest {
  /** Path of the bundle in the child's own directory. */
  bundle: string;
  sourceId: string;
  props: Dict;
  /** Props that are not in the code, or not so. */
  additionalProps?: PropDefinition[] | undefined;
  db: string;
  limits: RunLimits;
  /** Epoch ms: later jobs are not begun; the child then writes a line `stopped`. */
  startBefore?: number | undefined;
  jobs: Job[];
}

/** The host is trusted and has parsed what it sends; this only gives the line its type back. */
export const isChildRequest = (value: unknown): value is ChildRequest =>
  isDict(value) && typeof value['bundle'] === 'string' && Array.isArray(value['jobs']);

/** Requests come in on 3; lines go out on 4, which blocks: whoever emits faster than the host reads is slowed down. */
export const REQUESTS = 3;
export const LINES = 4;

/** Lines that are the host's alone: no caller gets them. */
export interface OwnLine {
  k: 'ready' | 'stopped' | 'leaving';
}

/** A child ends with this when its last job has failed in a way that leaves the process unfit, and no further one began. */
export const EXIT_BETWEEN_JOBS = 77;
