import { ServiceError } from '../../../shared/domain/errors.ts';
import type { Job, RunnerLine, RunnerRequest } from '../../../shared/domain/run/run.ts';

export type Line = RunnerLine;

/** The script of a component for one job: the lines that the runner would write for it. */
type Script = (job: Job, request: RunnerRequest) => Scripted | Promise<Scripted>;

type Scripted = Omit<Line, 'job'>[] | 'unstarted' | 'lost' | 'silent' | 'unready';

export const emits = (json: string, meta: Extract<Line, { k: 'emit' }>['meta'] = {}) =>
  ({ k: 'emit', json, meta }) as Omit<Line, 'job'>;
export const ended = (ms = 5) => ({ k: 'end', ms }) as Omit<Line, 'job'>;
export const threw = (code: string, message = code) =>
  ({ k: 'end', ms: 5, error: { code, name: 'Error', message, stack: `Error: ${message}` } }) as Omit<Line, 'job'>;

/** A runner whose lines a test writes. */
export function scriptedRunner(now: () => number) {
  const requests: RunnerRequest[] = [];
  const control: { script: Script; isBusy: boolean } = { script: () => [ended()], isBusy: false };
  const runner = {
    async run(request: RunnerRequest, onLine: (line: Line) => void) {
      if (control.isBusy) throw new ServiceError('unavailable', 'busy');
      requests.push(request);
      for (const job of request.jobs) {
        if (now() > (request.startBefore ?? Infinity)) return 'complete' as const;
        const lines = await control.script(job, request);
        if (lines === 'unstarted') return 'complete' as const;
        if (lines === 'unready') onLine({ k: 'unready', job: job.id, message: 'no process could be had' });
        if (lines === 'lost') onLine({ k: 'emit', job: job.id, json: '"before it was lost"', meta: {} });
        if (typeof lines === 'string') return 'lost' as const;
        for (const line of lines) onLine({ ...line, job: job.id } as Line);
      }
      return 'complete' as const;
    },
    describe: () => Promise.reject(new Error('not here')),
  };
  return { runner, requests, control };
}
