import * as z from 'zod';
import { UserId } from './id.ts';
import { BuildManifest } from './component.ts';

/** What the builder is asked. `code` alone, or `url` alone. */
export const BuildRequest = z.object({
  ownerId: UserId,
  code: z.string().optional(),
  url: z.string().optional(),
  /**
   * Presigned addresses: the bundle is put first, then the manifest as JSON; whoever finds the manifest finds both. A build that
   * fails leaves its `BuildFailed` in the manifest's place.
   */
  uploads: z.object({ bundle: z.string(), manifest: z.string() }),
});
/** For a caller that could not wait: why there is no bundle, and when (epoch ms) that was known. */
export const BuildFailed = z.object({ failed: z.string(), at: z.number() });
export type BuildFailed = z.infer<typeof BuildFailed>;

export type BuildRequest = z.infer<typeof BuildRequest>;

/** What the builder answers; a failure is the component's fault and its message names file, line, package or address. */
export const BuildResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), manifest: BuildManifest }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);
export type BuildResult = z.infer<typeof BuildResult>;
