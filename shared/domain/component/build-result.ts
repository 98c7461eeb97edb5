import * as z from 'zod';
import { UserId } from '../id.ts';
import { BuildManifest } from './component.ts';
import { SentFiles } from './sent-files.ts';

/** A URL that a build fetched, and a hash of the response. */
export const BuildInput = z.object({ address: z.string(), found: z.string() });
export type BuildInput = z.infer<typeof BuildInput>;

/**
 * Id of one build attempt. Each attempt writes its own bundle, so that a manifest never refers to another attempt's.
 */
const BuildAttempt = z.string().regex(/^[0-9a-f]{32}$/);

/** A successful build, as stored in the bucket. */
export const BuildDone = z.object({
  manifest: BuildManifest,
  attempt: BuildAttempt,
  /** Everything that was fetched, except packages of the registry. */
  inputs: z.array(BuildInput),
  /** Hash over the builder's programs and settings. */
  builtBy: z.string(),
  /** End of the build, epoch ms. */
  at: z.number(),
});
export type BuildDone = z.infer<typeof BuildDone>;

/** Whether the component cannot be built, or the npm registry or the builder itself is unavailable at the moment. */
const BuildFailureCode = z.enum(['build_failed', 'registry_unavailable', 'unavailable']);

/** The code at a position that the message of a failure names: the line, and a caret below it. */
const CodeFrame = z.object({ path: z.string().max(4096), message: z.string().max(512) });
export type CodeFrame = z.infer<typeof CodeFrame>;
export const CodeFrames = z.array(CodeFrame).max(3);

/** The stored result of a build, for a caller that could not wait and for the next build of the same input. */
export const BuildLeft = z.union([
  BuildDone,
  z.object({
    failed: z.string(),
    code: BuildFailureCode.default('build_failed'),
    frames: CodeFrames.optional(),
    at: z.number(),
  }),
]);
export type BuildLeft = z.infer<typeof BuildLeft>;

/**
 * Payload of the builder function, with either `code` or `url`. `path` is the entry's, `files` are the other ones sent
 * with `code`.
 */
export const BuildRequest = z.object({
  ownerId: UserId,
  code: z.string().optional(),
  path: z.string().optional(),
  files: SentFiles.optional(),
  url: z.string().optional(),
  /**
   * Presigned URLs. The builder puts the bundle first, then the manifest, a `BuildLeft` as JSON, so that a manifest
   * always has its bundle.
   */
  uploads: z.object({ attempt: BuildAttempt, bundle: z.string(), manifest: z.string() }),
  /**
   * An earlier build of the same URL. When all of its inputs are unchanged, it is the result and nothing is written.
   */
  earlier: BuildDone.optional(),
});
export type BuildRequest = z.infer<typeof BuildRequest>;

/** Result of the builder function; the message of a failure names file, line, package or URL. */
export const BuildResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), manifest: BuildManifest, attempt: BuildAttempt }),
  z.object({
    ok: z.literal(false),
    code: BuildFailureCode,
    message: z.string(),
    frames: CodeFrames.optional(),
  }),
]);
export type BuildResult = z.infer<typeof BuildResult>;
