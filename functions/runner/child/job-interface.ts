import { cut } from '../../../shared/lib/cut.ts';
import type { ComponentContextOptions } from '../../../shared/runtime/component-context.ts';
import type { Database } from '../../../shared/runtime/db.ts';
import { emitter } from '../../../shared/runtime/emit.ts';
import { responseOf } from '../../../shared/runtime/respond.ts';
import type { LateCounts, RunnerLine } from '../../../shared/domain/run/run.ts';
import { redactLine } from '../../../shared/runtime/redaction/redact-line.ts';
import type { Redactor } from '../../../shared/runtime/redaction/redactor.ts';
import type { ChildRequest } from '../child-request.ts';
import type { RunningJob } from './running-job.ts';

const LONGEST_MESSAGE = 4096;
/** Characters of a header's name in a warning. */
const LONGEST_NAME = 128;

interface JobInput {
  request: ChildRequest;
  database: Database;
  job: RunningJob;
  redactor: Redactor;
}

/**
 * The functions that a component calls during one job: `$emit`, `$.service.db` and `respond`. Each call becomes a line.
 */
export const jobInterface = ({ request, database, job, redactor }: JobInput): ComponentContextOptions => ({
  props: request.props,
  db: {
    get: (key) => database.get(key),
    set: beforeEnd(job, 'writes', (key, value) => {
      if (database.set(key, value)) job.write({ k: 'db', job: job.id, json: database.text });
    }),
  },
  emit: beforeEnd(
    job,
    'emits',
    emitter({
      job: job.id,
      limits: request.limits,
      redactor,
      write: (line: RunnerLine) => {
        if (line.k === 'error') line.error.message = cut(job.redact(line.error.message), LONGEST_MESSAGE);
        job.write(line);
      },
    }),
  ),
  respond: beforeEnd(job, 'responses', responder(job, redactor)),
});

/** The function while the job is in progress; afterwards its calls are only counted. */
const beforeEnd =
  <Args extends unknown[]>(
    job: RunningJob,
    kind: keyof LateCounts,
    perform: (...args: Args) => void,
  ): ((...args: Args) => void) =>
  (...args) => {
    if (job.isEnded) job.countLate(kind);
    else perform(...args);
  };

/** For methods that are called besides the job itself: they read, and change nothing. */
export const readOnly = ({ props, db }: ComponentContextOptions): ComponentContextOptions => ({
  props,
  db: { get: (key) => db.get(key), set: () => undefined },
  emit: () => undefined,
  respond: () => undefined,
});

/** For a job that lists props or options: its db lasts as long as the job, and it emits nothing. */
export const withoutLines = ({ props }: ComponentContextOptions, database: Database): ComponentContextOptions => ({
  props,
  db: { get: (key) => database.get(key), set: (key, value) => void database.set(key, value) },
  emit: () => undefined,
  respond: () => undefined,
});

function responder(job: RunningJob, redactor: Redactor): (response: unknown) => void {
  let isAnswered = false;
  return (value) => {
    if (isAnswered) {
      job.log('console.warn', 'This request was answered already; only the first response is sent.');
      return;
    }
    const { response, dropped } = responseOf(value, (name) => redactor.inText(name) === name);
    isAnswered = true;
    for (const name of dropped) {
      // Redacted before it is cut, because half a credential is not recognised.
      const shown = cut(job.redact(name), LONGEST_NAME);
      job.log('console.warn', `The header "${shown}" cannot be part of a response.`);
    }
    job.write(redactLine({ k: 'respond', job: job.id, ...response }, redactor));
  };
}
