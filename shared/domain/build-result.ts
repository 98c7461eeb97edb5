import * as z from 'zod';
import { UserId } from './id.ts';
import { BuildManifest } from './component.ts';

/** What a build asked an address for, and a hash over what it found there. */
export const BuildInput = z.object({ address: z.string(), found: z.string() });
export type BuildInput = z.infer<typeof BuildInput>;

/** Names the bundle of one attempt: each puts its own, so that a manifest never stands beside another attempt's. */
const BuildAttempt = z.string().regex(/^[0-9a-f]{32}$/);

/** A build that succeeded, as it rests in the bucket. */
export const BuildDone = z.object({
  manifest: BuildManifest,
  attempt: BuildAttempt,
  /** Everything that was fetched for it, but for packages of the registry. */
  inputs: z.array(BuildInput),
  /** Hash over the programs and settings that decide what comes out. */
  builtBy: z.string(),
  /** Epoch ms. */
  at: z.number(),
});
export type BuildDone = z.infer<typeof BuildDone>;

/** Whose fault a failure is: the component's, or for the time being the npm registry's. */
const BuildFailureCode = z.enum(['build_failed', 'registry_unavailable']);
export type BuildFailureCode = z.infer<typeof BuildFailureCode>;

/** For a caller that could not wait, and for the next build of the same: what became of the build. */
export const BuildLeft = z.union([
  BuildDone,
  z.object({ failed: z.string(), code: BuildFailureCode.default('build_failed'), at: z.number() }),
]);
export type BuildLeft = z.infer<typeof BuildLeft>;

/** What the builder is asked. `code` alone, or `url` alone. */
export const BuildRequest = z.object({
  ownerId: UserId,
  code: z.string().optional(),
  url: z.string().optional(),
  /**
   * Presigned addresses: the bundle is put first, then the manifest as JSON; whoever finds the manifest finds both. What is put there
   * is a `BuildLeft`.
   */
  uploads: z.object({ attempt: BuildAttempt, bundle: z.string(), manifest: z.string() }),
  /** An earlier build of the same address: if all that it fetched is as it was, it is the answer and nothing is put. */
  earlier: BuildDone.optional(),
});
export type BuildRequest = z.infer<typeof BuildRequest>;

/** What the builder answers; the message of a failure names file, line, package or address. */
export const BuildResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), manifest: BuildManifest, attempt: BuildAttempt }),
  z.object({ ok: z.literal(false), code: BuildFailureCode, message: z.string() }),
]);
export type BuildResult = z.infer<typeof BuildResult>;
