import * as z from 'zod';
import { UserId } from './id.ts';
import { ComponentDescription } from './component.ts';
import { PropDefinition } from './prop-definition.ts';

/** Limits of one run; every one of them ends in its own `$errors` event. */
export const RunLimits = z.object({
  /** Wall clock of one job. */
  timeoutMs: z.number(),
  memoryMb: z.number(),
  /** Serialised `$.service.db`. */
  dbBytes: z.number(),
  emits: z.number(),
  eventBytes: z.number(),
});
export type RunLimits = z.infer<typeof RunLimits>;

export const defaultLimits: RunLimits = {
  timeoutMs: 60_000,
  memoryMb: 256,
  dbBytes: 60 * 1024,
  emits: 10_000,
  eventBytes: 1024 * 1024,
};

/** One thing for the child to do; jobs of a request run one after the other and share `db`. */
export const Job = z.discriminatedUnion('kind', [
  /** `event` is JSON text, handed to `run`. */
  z.object({ kind: z.literal('run'), id: z.string(), event: z.string() }),
  z.object({ kind: z.literal('hook'), id: z.string(), hook: z.enum(['deploy', 'activate', 'deactivate']) }),
  /** Evaluates the component and says what it is. */
  z.object({ kind: z.literal('describe'), id: z.string() }),
  /** Asks `additionalProps` which props it has with these values. */
  z.object({ kind: z.literal('props'), id: z.string() }),
  /** Asks for the options of one prop. */
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
 * The payload of one invocation of the runner: jobs of one source, served by that source's own child process.
 * Configured props come as stored, with interface props as `{endpoint}` and app props as `{$auth}`.
 */
export const RunnerRequest = z.object({
  ownerId: UserId,
  /** Keys the child: the source id, or `describe-<bundle hash>`. */
  processKey: z.string(),
  /** `PD_COMPONENT` of the child, empty while describing. */
  sourceId: z.string(),
  bundle: z.object({ hash: z.string(), url: z.string() }),
  props: z.record(z.string(), z.unknown()),
  /** Props that are not in the code, or not so. */
  additionalProps: z.array(PropDefinition).optional(),
  /** JSON text of the db object. */
  db: z.string(),
  limits: RunLimits,
  /** Epoch ms: a job not begun by then is not begun at all, and no line names it. */
  startBefore: z.number().optional(),
  jobs: z.array(Job),
});
export type RunnerRequest = z.infer<typeof RunnerRequest>;

export const RunError = z.object({
  /** The thrown error's `code` or `name`, or one of ours: `timeout`, `out_of_memory`, `crashed` … */
  code: z.string(),
  name: z.string(),
  message: z.string(),
  stack: z.string(),
});
export type RunError = z.infer<typeof RunError>;

/**
 * One line of the runner's streamed answer, written as it happens, so that what a run emitted before it hung or crashed is kept.
 * Every line names its job.
 */
export const RunnerLine = z.discriminatedUnion('k', [
  z.object({
    k: z.literal('emit'),
    job: z.string(),
    /** JSON text of the event. */
    json: z.string(),
    meta: z.object({
      id: z.union([z.string(), z.number()]).optional(),
      /** Hash of an id that was redacted, by which deduplication compares it; never a number. */
      idHash: z.string().optional(),
      name: z.string().optional(),
      summary: z.string().optional(),
      /** Epoch ms, normalised. */
      ts: z.number().optional(),
      deliveryTs: z.number().optional(),
    }),
  }),
  /** An emit that was refused (`event_not_serialisable`, `event_too_large`, `too_many_emits`, reserved stream …); the run goes on. */
  z.object({ k: z.literal('error'), job: z.string(), error: RunError }),
  z.object({
    k: z.literal('log'),
    job: z.string(),
    /** `console.log`, `console.error` …, or `error` with `err`. */
    level: z.string(),
    ts: z.number(),
    msg: z.string(),
    err: z.object({ name: z.string(), message: z.string(), stack: z.string() }).optional(),
  }),
  /** The whole db after a change. The last one counts. */
  z.object({ k: z.literal('db'), job: z.string(), json: z.string() }),
  z.object({
    k: z.literal('respond'),
    job: z.string(),
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    /** Values of `Set-Cookie`, the one header that cannot be joined to a list. */
    cookies: z.array(z.string()).optional(),
    /** Text, or base64 when `base64`. */
    body: z.string(),
    base64: z.boolean(),
  }),
  z.object({ k: z.literal('described'), job: z.string(), description: ComponentDescription }),
  /** All props, those of the code first. */
  z.object({ k: z.literal('props'), job: z.string(), props: z.array(PropDefinition) }),
  z.object({ k: z.literal('options'), job: z.string(), options: z.array(z.unknown()), context: z.unknown() }),
  /** Written by the host: no process could be had for the job, so that nothing of it was begun. */
  z.object({ k: z.literal('unready'), job: z.string(), message: z.string() }),
  /** The job has ended; `ms` is its run time. Without `error` it succeeded. */
  z.object({ k: z.literal('end'), job: z.string(), ms: z.number(), error: RunError.optional() }),
]);
export type RunnerLine = z.infer<typeof RunnerLine>;
