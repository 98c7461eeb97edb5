import { setTimeout as pause } from 'node:timers/promises';
import { buildKeys } from '../../aws/object-keys.ts';
import { createHash } from 'node:crypto';
import { type Bucket } from '../../aws/bucket.ts';
import { type Builder, stillBuilding } from '../../aws/builder.ts';
import { type BuildDone, type BuildFailureCode, BuildLeft } from '../../domain/build-result.ts';
import type { BuildManifest } from '../../domain/component.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Random, UserId } from '../../domain/id.ts';

/** What is to be built: code, or the address of code. */
export interface Ingredients {
  ownerId: UserId;
  code?: string | undefined;
  url?: string | undefined;
}

export interface Built {
  manifest: BuildManifest;
  /** Where its bundle rests, for a day. */
  bundleKey: string;
  /** For what turned out not to load: the next build begins anew, with other versions of packages perhaps. */
  forget: () => Promise<void>;
}

export interface BuildContext {
  bucket: Bucket;
  builder: Builder;
  random: Random;
  now: () => number;
}

/** The builder's own time limit: after that no build is under way any more. */
const LONGEST_BUILD_MS = 120_000;
const WAIT_MS = 14_000;
/** What a caller that found no result had waited for it, at most. */
const WAITED_MS = 20_000;
const UPLOADS_LAST_SECONDS = 300;
/** Less than the day for which the bucket keeps builds, so that a bundle does not go while it is copied. */
const KEPT_MS = 20 * 3_600_000;

/**
 * Builds within 15 s. A build that takes longer goes on and leaves its result, a failure too, in the bucket, where the repeated
 * request finds it.
 * The same code is what was built of it before; what an address holds may have changed, so the builder is told what there was.
 */
export async function buildComponent(services: BuildContext, ingredients: Ingredients): Promise<Built> {
  const { bucket, builder, now, random } = services;
  const { ownerId, code, url } = ingredients;
  const place = placeOf(ingredients);
  const built = ({ manifest, attempt }: Pick<BuildDone, 'manifest' | 'attempt'>): Built => ({
    manifest,
    bundleKey: place.bundle(attempt),
    forget: () => bucket.putText(place.manifest, JSON.stringify({ failed: 'it did not load', at: 0 })),
  });
  const [earlier, overrun] = await Promise.all([findEarlier(services, place), bucket.getText(place.overrun)]);
  if (earlier && code !== undefined) return built(earlier);
  const overran = await findOverrun(services, place, Number(overrun));
  if (overran) return built(overran);
  const attempt = Buffer.from(random(16)).toString('hex');
  const [bundle, manifest] = await Promise.all([
    bucket.presignPut(place.bundle(attempt), UPLOADS_LAST_SECONDS),
    bucket.presignPut(place.manifest, UPLOADS_LAST_SECONDS),
  ]);
  try {
    const result = await builder.build({
      ownerId,
      ...(code === undefined ? { url } : { code }),
      uploads: { attempt, bundle, manifest },
      ...(earlier ? { earlier } : {}),
    });
    if (!result.ok) throw buildFailed(result);
    return built(result);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'still_building') {
      await bucket.putText(place.overrun, String(now()));
    }
    throw error;
  }
}

function placeOf({ ownerId, code, url }: Ingredients) {
  const hash = createHash('sha256')
    .update(JSON.stringify(code === undefined ? { url } : { code }))
    .digest('hex');
  return buildKeys(ownerId, hash);
}
type Place = ReturnType<typeof placeOf>;

async function findEarlier({ bucket, now }: BuildContext, place: Place): Promise<BuildDone | undefined> {
  const found = await readLeft(bucket, place);
  return found && 'manifest' in found && now() - found.at < KEPT_MS ? found : undefined;
}

/** What became of a build that took too long for whoever asked before. */
async function findOverrun(
  { bucket, now }: BuildContext,
  place: Place,
  overrun: number,
): Promise<BuildDone | undefined> {
  if (!(now() - overrun < LONGEST_BUILD_MS)) return undefined;
  for (const giveUpAt = now() + WAIT_MS; ;) {
    const found = await readLeft(bucket, place);
    // What an earlier build left may lie there still.
    if (found && found.at > overrun - WAITED_MS) {
      // Used once: the next request for this address builds what is there then.
      await bucket.putText(place.overrun, '0');
      if ('manifest' in found) return found;
      throw buildFailed({ code: found.code, message: found.failed });
    }
    if (now() >= giveUpAt) throw stillBuilding();
    await pause(500);
  }
}

const buildFailed = ({ code, message }: { code: BuildFailureCode; message: string }) =>
  code === 'build_failed'
    ? new ServiceError('invalid', code, message)
    : new ServiceError('unavailable', code, message, { retryAfterSeconds: 10 });

async function readLeft(bucket: Bucket, { manifest }: Place): Promise<BuildLeft | undefined> {
  const text = await bucket.getText(manifest);
  // What an earlier release left is built anew.
  return text === undefined ? undefined : BuildLeft.safeParse(JSON.parse(text)).data;
}
