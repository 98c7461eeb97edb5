import { lineText } from '../../shared/domain/run/line-text.ts';
import { MAX_LATE_COUNT } from '../../shared/domain/run/late-count.ts';
import { type Job, LateCounts, type RunnerRequest } from '../../shared/domain/run/run.ts';
import { kindOf, longestLine, readLine } from '../../shared/domain/run/runner-line.ts';
import type { LateReport } from '../../shared/service/runs/late-work.ts';
import type { ChildLines } from './child-lines.ts';

/** Ended jobs that are kept: more than one request has. */
const MAX_JOBS = 100;
const REPORT_AFTER_MS = 2000;
/** Lines between two jobs. Late work of one job makes ten a second at most. */
const MAX_LINES = 10_000;

/** Sends a report to the queue of its source. */
export type SendReport = (report: LateReport) => void;

type EndedJob = Omit<LateReport, 'counts'>;

/**
 * The calls that the component of one process made after the end of its jobs. Each job gets one report, two seconds
 * after its first late call. Later calls count as those of the next job.
 */
export class LateReports {
  readonly #send: SendReport | undefined;
  /** Jobs without a report, the oldest first. */
  readonly #jobs = new Map<string, EndedJob>();
  readonly #reports = new Map<string, LateReport>();
  /** The job that ended last, unless it has its report. */
  #last: EndedJob | undefined;
  /** Calls since the report of the job that ended last. */
  #others: LateCounts | undefined;
  #lines = 0;

  /** Without a queue, reports wait for the next request of the source. */
  constructor(send: SendReport | undefined) {
    this.#send = send;
  }

  jobEnded({ ownerId, sourceId }: Pick<RunnerRequest, 'ownerId' | 'sourceId'>, job: Job | undefined): void {
    this.#lines = 0;
    if (job?.kind !== 'run' && job?.kind !== 'hook') return;
    const ended = { ownerId, sourceId, run: job.id, chain: job.kind === 'run' ? job.chain : undefined };
    this.#jobs.set(job.id, ended);
    const [oldest] = this.#jobs.keys();
    if (this.#jobs.size > MAX_JOBS && oldest !== undefined) this.#jobs.delete(oldest);
    if (this.#others) this.#add(ended, this.#others);
    this.#others = undefined;
    this.#last = ended;
  }

  /** A component can write lines itself: a run of another process counts as one that has its report. */
  add({ run, counts }: Pick<LateReport, 'run' | 'counts'>): void {
    const job = this.#jobs.get(run) ?? this.#last;
    if (job) this.#add(job, counts);
    else this.#others = sumOf(this.#others, counts);
  }

  /** Reads a line that belongs to no request. */
  readLine(text: string): void {
    const line = kindOf(text) === 'late' ? readLine(text) : undefined;
    if (line?.k === 'late') this.add(line);
  }

  /** Reads output between requests. False when it is more than late work writes. */
  read(lines: ChildLines, chunk: Buffer): boolean {
    for (const { text } of lines.push(chunk)) {
      this.#lines += 1;
      this.readLine(text);
    }
    if (this.#lines <= MAX_LINES && lines.pending <= longestLine('late')) return true;
    lines.drop();
    return false;
  }

  /** The reports that wait for the next request, as lines of its first job. */
  takeLines(job: Job | undefined): string[] {
    if (this.#send || (job?.kind !== 'run' && job?.kind !== 'hook')) return [];
    const reports = [...this.#reports.keys()].flatMap((run) => this.#end(run));
    return reports.map(({ run, counts }) => lineText({ k: 'late', job: job.id, run, counts }));
  }

  /** Sends all reports, because the process ends. */
  flush(): void {
    for (const run of this.#reports.keys()) this.#sendReport(run);
  }

  #add(job: EndedJob, counts: LateCounts): void {
    const known = this.#reports.get(job.run);
    this.#reports.set(job.run, { ...job, counts: sumOf(known?.counts, counts) });
    if (!known && this.#send) setTimeout(() => this.#sendReport(job.run), REPORT_AFTER_MS).unref();
  }

  #sendReport(run: string): void {
    if (this.#send) this.#end(run).forEach(this.#send);
  }

  #end(run: string): LateReport[] {
    const report = this.#reports.get(run);
    this.#reports.delete(run);
    this.#jobs.delete(run);
    if (this.#last?.run === run) this.#last = undefined;
    return report ? [report] : [];
  }
}

const KINDS = LateCounts.keyof().options;

/** Counts beyond the maximum are not told: they are a hint. */
function sumOf(before: LateCounts | undefined, counts: LateCounts): LateCounts {
  if (!before) return counts;
  const sum = { ...before };
  for (const kind of KINDS) sum[kind] = Math.min(sum[kind] + counts[kind], MAX_LATE_COUNT);
  return sum;
}
