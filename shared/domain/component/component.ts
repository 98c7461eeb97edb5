import * as z from 'zod';
import { ComponentId, UserId } from '../id.ts';
import { AuthReads } from './auth-fields.ts';
import { Slips } from './code-slips.ts';
import { SourceTraits } from './source-traits.ts';
import { PropDefinition } from './prop-definition.ts';

/** Description of a loaded component, made by the runner. */
export const ComponentDescription = z.object({
  name: z.string(),
  key: z.string().optional(),
  version: z.string().optional(),
  description: z.string().optional(),
  props: z.array(PropDefinition),
  /** Names of the props whose default is a function, which definitions do not show. */
  computedDefaults: z.array(z.string()).optional(),
  dedupe: SourceTraits.shape.dedupe,
  hasRun: z.boolean(),
  hooks: SourceTraits.shape.hooks,
  hasAdditionalProps: z.boolean(),
  /** Names of top-level members that the service does not know. */
  unknownMembers: z.array(z.string()).optional(),
  /** Functions that are arrow functions, in which `this` is not the component. */
  arrows: Slips.shape.arrows.optional(),
  /** Positions of calls of `require` with a computed name. */
  computedRequires: Slips.shape.requires,
  /**
   * Names that the code reads as members of `this`, and that the component does not have; with the one that is surely
   * meant.
   */
  unknownReads: z.array(z.object({ name: z.string(), meant: z.string().optional() })).optional(),
});
export type ComponentDescription = z.infer<typeof ComponentDescription>;

/**
 * Whether the props depend on values, so that the component must run to list them: `additionalProps`, or event names
 * from a function.
 */
export const asksForProps = ({
  hasAdditionalProps,
  props,
}: Pick<ComponentDescription, 'hasAdditionalProps' | 'props'>): boolean =>
  hasAdditionalProps ||
  props.some((prop) => prop.type === '$.interface.apphook' && !Array.isArray(prop['static'] ?? prop['eventNames']));

export const BuildManifest = z.object({
  /** SHA-256 hex over every input file and resolved package; names the bundle. */
  bundleHash: z.string(),
  code: z.string(),
  /** SHA-256 hex of `code`. */
  codeHash: z.string(),
  /** SHA-256 hex over `code` and every relative file fetched for it: identity of a component's content. */
  contentHash: z.string(),
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  bundleBytes: z.number().int(),
  /** Absent in builds of earlier releases. */
  authReads: AuthReads.optional(),
  /** Absent in builds of earlier releases. */
  slips: Slips.optional(),
});
export type BuildManifest = z.infer<typeof BuildManifest>;

/** A component as stored; its code is in the bucket. */
export const Component = z.object({
  id: ComponentId,
  ownerId: UserId,
  published: z.boolean(),
  codeKey: z.string(),
  /** The entry's path; absent in components of earlier releases. */
  path: z.string().optional(),
  /** Whether other files were sent with the code. */
  hasFiles: z.boolean().optional(),
  codeHash: z.string(),
  contentHash: z.string(),
  bundleHash: z.string(),
  componentUrl: z.string().nullable(),
  description: ComponentDescription,
  /** Absent in components that were last built by an earlier release. */
  authReads: AuthReads.optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Component = z.infer<typeof Component>;
