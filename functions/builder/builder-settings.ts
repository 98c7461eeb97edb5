import * as z from 'zod';
import { BuildInput, CodeFrames } from '../../shared/domain/component/build-result.ts';
import { BuildManifest } from '../../shared/domain/component/component.ts';
import { SentFiles } from '../../shared/domain/component/sent-files.ts';

/** Settings that the host sends to the build process, which has no environment variables. */
export const BuildSettings = z.object({
  registry: z.string(),
  network: z.object({
    allowPrivate: z.boolean(),
    allowList: z.array(z.string()).readonly(),
    ownPorts: z.array(z.number()).readonly().optional(),
    openPorts: z.array(z.number()).readonly().optional(),
  }),
  /** Host → origin to use instead, e.g. a mirror of `raw.githubusercontent.com`. */
  hosts: z.record(z.string(), z.string()),
  /** Proxies for the registry, in npm's terms; absent means none. */
  proxy: z.object({ http: z.string(), https: z.string(), except: z.string() }).partial(),
  /**
   * Folder with the modules that components import, `platform.mjs` and `types.mjs`, and `prelude.js`, the code before
   * theirs.
   */
  modules: z.string(),
  /** npm's cache, shared by all builds: content-addressed and verified on every read. */
  cacheDirectory: z.string(),
  /** Installed packages of this user, shared by the user's processes. */
  installedSetsDirectory: z.string(),
  /** Directory of this process. */
  workDirectory: z.string(),
});
export type BuildSettings = z.infer<typeof BuildSettings>;

/** File name of a built bundle. */
export const BUNDLE = 'bundle.mjs';

/** Request to the build process, one at a time. */
export const BuildJob = z.object({
  settings: BuildSettings,
  code: z.string().optional(),
  path: z.string().optional(),
  files: SentFiles.optional(),
  url: z.string().optional(),
});
export type BuildJob = z.infer<typeof BuildJob>;

/** Response of the build process. */
export const BuildResponse = z.discriminatedUnion('kind', [
  /** The bundle is {@link BUNDLE} in the work directory until the next build. */
  z.object({ kind: z.literal('built'), manifest: BuildManifest, inputs: z.array(BuildInput) }),
  /** The component cannot be built. */
  z.object({
    kind: z.literal('failed'),
    message: z.string(),
    frames: CodeFrames.optional(),
    /** The process must end: it may still install, or has no compiler any more. */
    isLast: z.boolean().optional(),
  }),
  /** The registry failed; the same build may succeed later. */
  z.object({ kind: z.literal('unavailable'), message: z.string() }),
  /** Too many builds of this user, or of all users, wait already. */
  z.object({ kind: z.literal('queue_full'), isOwn: z.boolean() }),
  /** The process could not be started; the same build may succeed later. */
  z.object({ kind: z.literal('not_started') }),
  /** The builder itself failed. */
  z.object({ kind: z.literal('broken'), message: z.string() }),
]);
export type BuildResponse = z.infer<typeof BuildResponse>;
