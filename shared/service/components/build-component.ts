import { setTimeout as pause } from 'node:timers/promises';
import { buildKeys } from '../../aws/object-keys.ts';
import { createHash } from 'node:crypto';
import { type Bucket } from '../../aws/bucket.ts';
import { type Builder, stillBuilding } from '../../aws/builder.ts';
import { type BuildDone, BuildLeft, type BuildResult } from '../../domain/component/build-result.ts';
import type { BuildManifest } from '../../domain/component/component.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Random, UserId } from '../../domain/id.ts';
import type { SentFiles } from '../../domain/component/sent-files.ts';
import { LONGEST_BUILD_MS } from '../../domain/time-limits.ts';

export interface BuildInput {
  ownerId: UserId;
  code?: string | undefined;
  /** The entry's path and the other files of `code`. */
  path?: string | undefined;
  files?: SentFiles | undefined;
  url?: string | undefined;
}

export interface Built {
  manifest: BuildManifest;
  /** Object key of the bundle, which expires after one day. */
  bundleKey: string;
  /**
   * Discards the result, for a bundle that does not load: the next build starts anew and may get other package
   * versions.
   */
  forget: () => Promise<void>;
}

type FailedBuild = Extract<BuildResult, { ok: false }>;

export interface BuildContext {
  bucket: Bucket;
  builder: Builder;
  random: Random;
  now: () => number;
}

/** Wait for the result of a build that an earlier request started. */
const WAIT_MS = 14_000;
/** The longest time that an earlier request may have waited before it gave up. */
const EARLIER_WAIT_MS = 20_000;
const UPLOAD_URL_SECONDS = 300;
/** Builds expire in the bucket after 24 h; reuse ends earlier, so that a bundle does not expire while it is copied. */
const REUSE_MS = 20 * 3_600_000;

/**
 * Builds within 15 s. A longer build continues and writes its result or failure to the bucket, where a repeated request
 * finds it. An earlier build of the same code is reused. Code at a URL may have changed, so the builder gets the
 * earlier result to compare.
 */
export async function buildComponent(context: BuildContext, input: BuildInput): Promise<Built> {
  const { bucket, builder, now, random } = context;
  const { ownerId, code, path, files, url } = input;
  const keys = keysOf(input);
  const built = ({ manifest, attempt }: Pick<BuildDone, 'manifest' | 'attempt'>): Built => ({
    manifest,
    bundleKey: keys.bundle(attempt),
    forget: () => bucket.putText(keys.manifest, JSON.stringify({ failed: 'it did not load', at: 0 })),
  });
  const [earlier, overrun] = await Promise.all([findEarlier(context, keys), bucket.getText(keys.overrun)]);
  if (earlier && code !== undefined) return built(earlier);
  const overran = await findOverrun(context, keys, Number(overrun));
  if (overran) return built(overran);
  const attempt = Buffer.from(random(16)).toString('hex');
  const [bundle, manifest] = await Promise.all([
    bucket.presignPut(keys.bundle(attempt), UPLOAD_URL_SECONDS),
    bucket.presignPut(keys.manifest, UPLOAD_URL_SECONDS),
  ]);
  try {
    const result = await builder.build({
      ownerId,
      ...(code === undefined ? { url } : { code, path, files }),
      uploads: { attempt, bundle, manifest },
      ...(earlier ? { earlier } : {}),
    });
    if (!result.ok) throw buildFailed(result);
    return built(result);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'still_building') {
      await bucket.putText(keys.overrun, String(now()));
    }
    throw error;
  }
}

function keysOf({ ownerId, code, path, files, url }: BuildInput) {
  const hash = createHash('sha256')
    .update(JSON.stringify(code === undefined ? { url } : { code, path, files }))
    .digest('hex');
  return buildKeys(ownerId, hash);
}
type BuildKeys = ReturnType<typeof keysOf>;

async function findEarlier({ bucket, now }: BuildContext, keys: BuildKeys): Promise<BuildDone | undefined> {
  const found = await readLeft(bucket, keys);
  if (!found || !('manifest' in found) || now() - found.at >= REUSE_MS) return undefined;
  // A build of an earlier release has no reads: it is built again.
  return found.manifest.authReads === undefined ? undefined : found;
}

/** The result of a build that took longer than an earlier request could wait. */
async function findOverrun(
  { bucket, now }: BuildContext,
  keys: BuildKeys,
  overrun: number,
): Promise<BuildDone | undefined> {
  if (!(now() - overrun < LONGEST_BUILD_MS)) return undefined;
  for (const giveUpAt = now() + WAIT_MS; ;) {
    const found = await readLeft(bucket, keys);
    // Skip the result of a build before the overrun.
    if (found && found.at > overrun - EARLIER_WAIT_MS) {
      // Use the result once: the next request for this URL fetches the code again.
      await bucket.putText(keys.overrun, '0');
      if ('manifest' in found) return found;
      throw buildFailed({ ...found, message: found.failed });
    }
    if (now() >= giveUpAt) throw stillBuilding();
    await pause(500);
  }
}

function buildFailed({ code, message, frames = [] }: Omit<FailedBuild, 'ok'>): ServiceError {
  if (code !== 'build_failed') return new ServiceError(code, message, { retryAfterSeconds: 10 });
  return new ServiceError(code, message, frames.length === 0 ? {} : { details: frames });
}

async function readLeft(bucket: Bucket, { manifest }: BuildKeys): Promise<BuildLeft | undefined> {
  const text = await bucket.getText(manifest);
  // Undefined for a result of an earlier release, which is built again.
  return text === undefined ? undefined : BuildLeft.safeParse(JSON.parse(text)).data;
}
