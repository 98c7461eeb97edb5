import * as z from 'zod';
import { BuildInput } from '../../shared/domain/build-result.ts';
import { BuildManifest } from '../../shared/domain/component.ts';

/** What the host hands to the process that builds: that process has no environment to read anything from. */
export const BuildSettings = z.object({
  registry: z.string(),
  network: z.object({ allowPrivate: z.boolean(), allowList: z.array(z.string()) }),
  /** Origins that serve in place of a host, e.g. a mirror of `raw.githubusercontent.com`. */
  hosts: z.record(z.string(), z.string()),
  /** Proxies for the registry, as npm knows them; absent = none. */
  proxy: z.object({ http: z.string(), https: z.string(), except: z.string() }).partial(),
  /** Our modules that components import, as ECMAScript modules. */
  platform: z.object({ platform: z.string(), types: z.string() }),
  /** Shared by all builds: content-addressed, and verified on every read. */
  cacheDirectory: z.string(),
  /** Packages installed for this user, by whichever of the user's processes. */
  treesDirectory: z.string(),
  /** This process's own. */
  workDirectory: z.string(),
});
export type BuildSettings = z.infer<typeof BuildSettings>;

/** What a process that builds is asked, one build at a time. */
export const BuildJob = z.object({
  settings: BuildSettings,
  code: z.string().optional(),
  url: z.string().optional(),
});
export type BuildJob = z.infer<typeof BuildJob>;

/** What that process says. */
export const BuildAnswer = z.discriminatedUnion('kind', [
  /** The bundle lies at `path` until the next build. */
  z.object({
    kind: z.literal('built'),
    manifest: BuildManifest,
    inputs: z.array(BuildInput),
    path: z.string(),
  }),
  /** The component's fault. */
  z.object({ kind: z.literal('failed'), message: z.string() }),
  /** The registry's: another time the same build may succeed. */
  z.object({ kind: z.literal('unavailable'), message: z.string() }),
  /** Ours. */
  z.object({ kind: z.literal('broken'), message: z.string() }),
]);
export type BuildAnswer = z.infer<typeof BuildAnswer>;
