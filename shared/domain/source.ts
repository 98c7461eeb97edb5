import * as z from 'zod';
import { ComponentId, SourceId, UserId } from './id.ts';
import { LoggedLine } from './failure-report.ts';
import { PropDefinition } from './prop-definition.ts';

/** `creating` and `activating` show as active, `failed` as not; `deleting` is gone for every reader. */
export const SourceState = z.enum(['creating', 'activating', 'active', 'inactive', 'failed', 'deleting']);
export type SourceState = z.infer<typeof SourceState>;

export const HookName = z.enum(['deploy', 'activate', 'deactivate']);
export type HookName = z.infer<typeof HookName>;

/** What a revision of a source runs: everything that an update may replace. */
export const SourceConfiguration = z.object({
  componentId: ComponentId,
  /** Hash of the bundle, hence of everything that was built; also its place in the bucket. */
  bundleHash: z.string(),
  /** Values as stored and shown; interface props without their endpoint (made when answered). */
  configuredProps: z.record(z.string(), z.unknown()),
  /** What the component's `additionalProps` made of these values: props that its code does not list, or lists otherwise. */
  additionalProps: z.array(PropDefinition).optional(),
  name: z.string(),
  nameSlug: z.string(),
  active: z.boolean(),
});
export type SourceConfiguration = z.infer<typeof SourceConfiguration>;

/** What of the component decides how triggers are taken: read on every run, so kept beside the configuration. */
export const SourceTraits = z.object({
  dedupe: z.enum(['unique', 'greatest', 'last']).optional(),
  hasRun: z.boolean(),
  hooks: z.array(HookName),
  /** Names of the interface props, e.g. `http`, `timer`. */
  httpProp: z.string().optional(),
  /** The one whose app sends its events to the endpoint; only where there is no HTTP interface. */
  apphookProp: z.string().optional(),
  customResponse: z.boolean(),
  timerProp: z.string().optional(),
  /** The timer in force, defaults applied; absent without a timer prop. */
  timer: z
    .union([
      z.object({ intervalSeconds: z.number().int() }),
      z.object({ cron: z.string(), timezone: z.string().optional() }),
    ])
    .optional(),
  /** Its app props and the slugs of their apps. */
  appProps: z.record(z.string(), z.string()).optional(),
});
export type SourceTraits = z.infer<typeof SourceTraits>;

/** A revision on its way: written by POST and PUT, carried out by the lifecycle trigger of the same revision. */
export const PendingRevision = z.object({
  revision: z.number().int(),
  since: z.number(),
  triggerId: z.string(),
  configuration: SourceConfiguration,
  traits: SourceTraits,
  /** In this order; a failing `deactivate` is reported and never blocks. */
  hooks: z.array(HookName),
  /** The one that was begun last; absent until the first is. */
  hook: HookName.optional(),
});
export type PendingRevision = z.infer<typeof PendingRevision>;

/** How the last revision ended; a waiting POST or PUT reads it. */
export const RevisionOutcome = z.object({
  revision: z.number().int(),
  ok: z.boolean(),
  /** Why it failed: the hook, what it threw, and the last lines that it logged. */
  hook: HookName.optional(),
  message: z.string().optional(),
  lines: z.array(LoggedLine).optional(),
});
export type RevisionOutcome = z.infer<typeof RevisionOutcome>;
/** How a hook failed. */
export type HookFailure = Pick<RevisionOutcome, 'hook' | 'message' | 'lines'>;

export const Source = z.object({
  id: SourceId,
  ownerId: UserId,
  state: SourceState,
  /** Grows with every swap of configuration; ticks and late writes of an older one are void. */
  generation: z.number().int(),
  configuration: SourceConfiguration,
  traits: SourceTraits,
  pending: PendingRevision.optional(),
  outcome: RevisionOutcome.optional(),
  /** Random 128-bit id of the HTTP endpoint; only when the component has an HTTP or an app's interface. */
  endpointId: z.string().optional(),
  /** Activation time of the timer in force, epoch ms. */
  timerAnchor: z.number().optional(),
  /** On a tombstone: the last message of its queue has been accepted. */
  purgeSent: z.boolean().optional(),
  createdAt: z.number(),
  /** Grows with every change that a caller makes; an update is made on what it has read. */
  updatedAt: z.number(),
});
export type Source = z.infer<typeof Source>;
