import * as z from 'zod';
import { ComponentId, SourceId, UserId } from '../id.ts';
import { LoggedLine } from '../component/logged-line.ts';
import { PropDefinition } from '../component/prop-definition.ts';
import { HookName, SourceTraits } from '../component/source-traits.ts';
import { EndpointForm } from './endpoint-address.ts';

/** The API shows `creating` and `activating` as active, `failed` as inactive; sources in `deleting` are invisible. */
export const SourceState = z.enum(['creating', 'activating', 'active', 'inactive', 'failed', 'deleting']);
export type SourceState = z.infer<typeof SourceState>;

/** The fields of a source that a request may set, besides its component. */
export const SourceSettings = z.object({
  name: z.string(),
  /** Stored values; the endpoint of interface props is added to responses. */
  configuredProps: z.record(z.string(), z.unknown()),
  active: z.boolean(),
  /** Sources of earlier releases lack it. */
  endpoint: EndpointForm.default('path'),
  tags: z.array(z.string()).default([]),
});
export type SourceSettings = z.infer<typeof SourceSettings>;

/** The part of a source that an update may replace. */
export const SourceConfiguration = SourceSettings.extend({
  componentId: ComponentId,
  /** Hash over all inputs of the build; part of the bundle's object key. */
  bundleHash: z.string(),
  /** Props of `additionalProps` for these values: props that the code does not declare, or declares differently. */
  additionalProps: z.array(PropDefinition).optional(),
  nameSlug: z.string(),
});
export type SourceConfiguration = z.infer<typeof SourceConfiguration>;

/** A pending revision: written by POST and PUT, executed by the lifecycle trigger of the same revision. */
export const PendingRevision = z.object({
  revision: z.number().int(),
  since: z.number(),
  triggerId: z.string(),
  configuration: SourceConfiguration,
  traits: SourceTraits,
  /** Hooks in order of execution. A failed `deactivate` is reported, but does not stop the revision. */
  hooks: z.array(HookName),
  /** The hook that started last; absent before the first. */
  hook: HookName.optional(),
});
export type PendingRevision = z.infer<typeof PendingRevision>;

/** Outcome of the last revision, polled by a waiting POST or PUT. */
export const RevisionOutcome = z.object({
  revision: z.number().int(),
  ok: z.boolean(),
  /** The failed hook, its error, and its last log lines. */
  hook: HookName.optional(),
  /** Absent for a hook that threw. */
  code: z.literal('account_expired').optional(),
  message: z.string().optional(),
  lines: z.array(LoggedLine).optional(),
});
export type RevisionOutcome = z.infer<typeof RevisionOutcome>;
/** A failed hook: its name, its error and its last log lines. */
export type HookFailure = Pick<RevisionOutcome, 'hook' | 'code' | 'message' | 'lines'>;

/**
 * The owner of the source is suspended: ticks are dropped, and other triggers wait in the backlog until the owner is
 * resumed.
 */
export const Suspension = z.object({
  /** Epoch ms. */
  since: z.number(),
});
export type Suspension = z.infer<typeof Suspension>;

export const Source = z.object({
  id: SourceId,
  ownerId: UserId,
  state: SourceState,
  /** Increases with every swap of the configuration; ticks and late writes of older generations are dropped. */
  generation: z.number().int(),
  configuration: SourceConfiguration,
  traits: SourceTraits,
  pending: PendingRevision.optional(),
  outcome: RevisionOutcome.optional(),
  /** Random 128-bit id of the HTTP endpoint; only when the component has an HTTP or app interface. */
  endpointId: z.string().optional(),
  /** Activation of the current timer, epoch ms. */
  timerAnchor: z.number().optional(),
  /** On a tombstone: the queue has accepted the purge message. */
  purgeSent: z.boolean().optional(),
  suspension: Suspension.optional(),
  createdAt: z.number(),
  /** Increases with every update by a caller; the version for optimistic locking. */
  updatedAt: z.number(),
});
export type Source = z.infer<typeof Source>;

/** States shown as `active: true`. */
const ACTIVE: ReadonlySet<SourceState> = new Set(['creating', 'activating', 'active']);
export const isActive = ({ state }: Pick<Source, 'state'>): boolean => ACTIVE.has(state);

/**
 * The source with the configuration that triggers use now; undefined when it accepts no triggers: an update that
 * disables it does so immediately, and not when it is executed. While the `activate` hook runs, this is already the
 * pending configuration, because providers call a new endpoint before the hook has ended.
 */
export function effectiveSource(source: Source): Source | undefined {
  const { state, pending } = source;
  if (state === 'deleting' || pending?.configuration.active === false) return undefined;
  if (pending?.hook === 'activate') {
    const { configuration, traits } = pending;
    return { ...source, configuration, traits };
  }
  return isActive(source) ? source : undefined;
}
