import * as z from 'zod';
import { BodyForm } from '../event/carried-event.ts';
import { chainFields } from './chain.ts';
import { UserId } from '../id.ts';
import { ComponentDescription } from '../component/component.ts';
import { PropDefinition } from '../component/prop-definition.ts';
import { MAX_LATE_COUNT } from './late-count.ts';
import { Slips } from '../component/code-slips.ts';
import { RunLimits } from '../run-limits.ts';

/** One job of the child process; jobs of a request run one after the other and share `db`. */
export const Job = z.discriminatedUnion('kind', [
  /**
   * Calls `run` with `event`, a JSON text. With `body` it has no `body`, which follows from `bodyRaw`. `chain` is that
   * of the trigger, for a report of late work.
   */
  z.object({
    kind: z.literal('run'),
    id: z.string(),
    event: z.string(),
    body: BodyForm.optional(),
    chain: z.object(chainFields).optional(),
  }),
  z.object({ kind: z.literal('hook'), id: z.string(), hook: z.enum(['deploy', 'activate', 'deactivate']) }),
  z.object({ kind: z.literal('describe'), id: z.string(), slips: Slips.optional() }),
  /** Calls `additionalProps` and lists all props. */
  z.object({ kind: z.literal('props'), id: z.string() }),
  z.object({
    kind: z.literal('options'),
    id: z.string(),
    prop: z.string(),
    page: z.number().int(),
    prevContext: z.unknown().optional(),
    query: z.string().optional(),
  }),
]);
export type Job = z.infer<typeof Job>;

/**
 * Payload of one invocation of the runner: jobs of one source, executed in the source's own child process. Props have
 * their stored values, except interface props, `{endpoint}`, and app props, `{$auth}`.
 */
export const RunnerRequest = z.object({
  ownerId: UserId,
  /** Identifies the child process: source id, or `describe-<bundle hash>`. */
  processKey: z.string(),
  /** `PD_COMPONENT` of the child process, empty for a describe job. */
  sourceId: z.string(),
  bundle: z.object({ hash: z.string(), url: z.string() }),
  props: z.record(z.string(), z.unknown()),
  /** Props that the code does not declare, or declares differently. */
  additionalProps: z.array(PropDefinition).optional(),
  /** JSON text of the db object. */
  db: z.string(),
  limits: RunLimits,
  /** Latest start, epoch ms. A job not started by then is skipped without a line. */
  startBefore: z.number().optional(),
  /**
   * The caller reads lines whose `json` is not quoted. Absent from a caller of an earlier release, while a stage is
   * upgraded.
   */
  readsUnquotedJson: z.boolean().optional(),
  /**
   * The caller checks that long events are JSON. Absent from a caller of an earlier release, while a stage is upgraded.
   */
  checksLongEvents: z.boolean().optional(),
  /** The caller reads lines `late`. Absent from a caller of an earlier release, while a stage is upgraded. */
  readsLateLines: z.boolean().optional(),
  jobs: z.array(Job),
});
export type RunnerRequest = z.infer<typeof RunnerRequest>;

/** Bounds of texts in lines: a component can write lines itself. Its own process cuts them to less. */
const shortText = z.string().max(1024);
const messageText = z.string().max(8 * 1024);
const stackText = z.string().max(32 * 1024);
/** The latest time of a Date, epoch ms. */
const LAST_TIME = 8.64e15;
const time = z.int().min(-LAST_TIME).max(LAST_TIME);

export const RunError = z.object({
  /** The thrown error's `code` or `name`, or a code of the service: `timeout`, `out_of_memory`, `crashed` … */
  code: shortText,
  name: shortText,
  message: messageText,
  stack: stackText,
  /** The error's `status`, `statusCode` or `response.status`, if that is a status of HTTP. */
  status: z.int().min(100).max(599).optional(),
});
export type RunError = z.infer<typeof RunError>;

const count = z.int().min(0).max(MAX_LATE_COUNT);
/** How often a component did something after its job had ended. */
export const LateCounts = z.object({
  emits: count,
  logs: count,
  /** Calls of `db.set`. */
  writes: count,
  responses: count,
  errors: count,
});
export type LateCounts = z.infer<typeof LateCounts>;

/**
 * One line of the runner's streamed response, written as it happens, so that emits before a hang or crash are kept.
 * Every line names its job.
 */
export const RunnerLine = z.discriminatedUnion('k', [
  z.object({
    k: z.literal('emit'),
    job: z.string(),
    json: z.string(),
    meta: z.object({
      id: z.union([z.string(), z.number()]).optional(),
      /** Hash of an id that was redacted, by which deduplication compares it; never a number. */
      idHash: shortText.optional(),
      name: shortText.optional(),
      summary: messageText.optional(),
      /** Epoch ms, normalised. */
      ts: time.optional(),
      deliveryTs: time.optional(),
    }),
  }),
  /** A refused emit (`event_not_serialisable`, `event_too_large`, `too_many_emits` …); the run continues. */
  z.object({ k: z.literal('error'), job: z.string(), error: RunError }),
  z.object({
    k: z.literal('log'),
    job: z.string(),
    /** `console.log`, `console.error` …, or `error` with `err`. */
    level: shortText,
    ts: time,
    msg: messageText,
    err: RunError.omit({ code: true }).optional(),
  }),
  /** The whole db after a change; the last line counts. */
  z.object({ k: z.literal('db'), job: z.string(), json: z.string() }),
  z.object({
    k: z.literal('respond'),
    job: z.string(),
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    /** Values of `Set-Cookie`, the only header whose values cannot be joined with commas. */
    cookies: z.array(z.string()).optional(),
    /** Text, or base64 when `base64`. */
    body: z.string(),
    base64: z.boolean(),
  }),
  z.object({ k: z.literal('described'), job: z.string(), description: ComponentDescription }),
  /** All props; declared ones first. */
  z.object({ k: z.literal('props'), job: z.string(), props: z.array(PropDefinition) }),
  z.object({ k: z.literal('options'), job: z.string(), options: z.array(z.unknown()), context: z.unknown() }),
  /**
   * Further calls of the component after `run`, an earlier job of its process, had ended. They are lost. A process
   * writes it when they happen; a host without a queue passes it on at the start of the next job.
   */
  z.object({ k: z.literal('late'), job: z.string(), run: shortText, counts: LateCounts }),
  /** Written by the host when no process was available: the job did not start. */
  z.object({ k: z.literal('unready'), job: z.string(), message: messageText }),
  /** The job has ended, successfully unless `error` is set; `ms` is its run time. */
  z.object({ k: z.literal('end'), job: z.string(), ms: z.number(), error: RunError.optional() }),
]);
export type RunnerLine = z.infer<typeof RunnerLine>;
