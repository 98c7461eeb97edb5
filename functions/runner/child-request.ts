import type { PropDefinition } from '../../shared/domain/component/prop-definition.ts';
import type { Job } from '../../shared/domain/run/run.ts';
import type { RunLimits } from '../../shared/domain/run-limits.ts';
import { type Dict, isDict } from '../../shared/runtime/guards.ts';

/** A request of the host to its child: jobs to run one after the other. */
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

/** A longer event is a piece of its own: joined to other text, it would be copied. */
const LONGEST_JOINED = 4096;

/**
 * A request as pieces of text: one line of JSON, then one line for the event of each run. The events are JSON already
 * and may be most of the request, so they are not quoted into the first line.
 */
export function writeRequest(request: ChildRequest): string[] {
  const jobs = request.jobs.map((job): Job => (job.kind === 'run' ? { ...job, event: '', chain: undefined } : job));
  const pieces: string[] = [];
  let text = `${JSON.stringify({ ...request, jobs })}\n`;
  for (const job of request.jobs) {
    if (job.kind !== 'run') continue;
    // JSON allows line breaks only between tokens, where a space is equivalent.
    const event = job.event.replaceAll('\n', ' ');
    if (event.length > LONGEST_JOINED) {
      pieces.push(text, event);
      text = '\n';
    } else text += `${event}\n`;
  }
  return [...pieces, text];
}

/** Reads the lines of {@link writeRequest}. */
export class RequestReader {
  #request: ChildRequest | undefined;
  #withoutEvent: (Job & { kind: 'run' })[] = [];

  /** Returns the request that this line completes. */
  push(line: string): ChildRequest | undefined {
    const job = this.#withoutEvent.shift();
    if (job) job.event = line;
    else {
      const request: unknown = JSON.parse(line);
      if (!isChildRequest(request)) return undefined;
      this.#request = request;
      this.#withoutEvent = request.jobs.filter((each) => each.kind === 'run');
    }
    return this.#withoutEvent.length === 0 ? this.#request : undefined;
  }
}

/** The host is trusted and has validated the request; this only restores its type. */
const isChildRequest = (value: unknown): value is ChildRequest =>
  isDict(value) && typeof value['bundle'] === 'string' && Array.isArray(value['jobs']);

/** A line for the host alone: no caller gets it. */
export interface OwnLine {
  k: 'ready' | 'stopped' | 'leaving';
}

/**
 * Exit code of a child whose last job failed in a way that leaves the process unusable, and that started no other job.
 */
export const EXIT_BETWEEN_JOBS = 77;
