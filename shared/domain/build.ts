import * as z from 'zod';
import { UserId } from './id.ts';
import { BuildManifest } from './component.ts';

/** What the builder is asked. `code` alone, or `url` alone. */
export const BuildRequest = z.object({
  ownerId: UserId,
  code: z.string().optional(),
  url: z.string().optional(),
  /**
   * Presigned addresses: the bundle is put first, then the manifest as JSON; whoever finds the manifest finds both. What is put there
   * is a `BuildLeft`.
   */
  uploads: z.object({ bundle: z.string(), manifest: z.string() }),
});
/** For a caller that could not wait: what became of the build, and when (epoch ms). */
export const BuildLeft = z.union([
  z.object({ manifest: BuildManifest, at: z.number() }),
  z.object({ failed: z.string(), at: z.number() }),
]);
export type BuildLeft = z.infer<typeof BuildLeft>;

export type BuildRequest = z.infer<typeof BuildRequest>;

/** What the builder answers; a failure is the component's fault and its message names file, line, package or address. */
export const BuildResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), manifest: BuildManifest }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);
export type BuildResult = z.infer<typeof BuildResult>;
