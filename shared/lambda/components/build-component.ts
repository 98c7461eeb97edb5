import { createHash } from 'node:crypto';
import { type Bucket } from '../../aws/bucket.ts';
import { type Builder, stillBuilding } from '../../aws/builder.ts';
import { BuildLeft } from '../../domain/build.ts';
import type { BuildManifest } from '../../domain/component.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';

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
}

export interface BuildServices {
  bucket: Bucket;
  builder: Builder;
  now: () => number;
}

/** The builder's own time limit: after that no build is under way any more. */
const LONGEST_BUILD_MS = 120_000;
const WAIT_MS = 14_000;
/** What a caller that found no result had waited for it, at most. */
const WAITED_MS = 20_000;
const UPLOADS_LAST_SECONDS = 300;

/**
 * Builds within 15 s. A build that takes longer goes on and leaves its result, a failure too, in the bucket, where the repeated
 * request finds it.
 * Code is looked up there at once; what an address holds may have changed, so it is looked up only after a build that took too long.
 */
export async function buildComponent(services: BuildServices, ingredients: Ingredients): Promise<Built> {
  const { bucket, builder, now } = services;
  const { ownerId, code, url } = ingredients;
  const place = placeOf(ingredients);
  const earlier = await findEarlier(services, ingredients, place);
  if (earlier) return earlier;
  const [bundle, manifest] = await Promise.all([
    bucket.presignPut(place.bundle, UPLOADS_LAST_SECONDS),
    bucket.presignPut(place.manifest, UPLOADS_LAST_SECONDS),
  ]);
  try {
    const result = await builder.build({
      ownerId,
      ...(code === undefined ? { url } : { code }),
      uploads: { bundle, manifest },
    });
    if (!result.ok) throw buildFailed(result.message);
    return { manifest: result.manifest, bundleKey: place.bundle };
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
  const folder = `builds/${ownerId}/${hash}`;
  return {
    bundle: `${folder}/bundle.mjs`,
    manifest: `${folder}/manifest.json`,
    overrun: `${folder}/overrun`,
  };
}

async function findEarlier(
  { bucket, now }: BuildServices,
  { code }: Ingredients,
  place: ReturnType<typeof placeOf>,
): Promise<Built | undefined> {
  if (code !== undefined) {
    const found = await readLeft(bucket, place);
    if (found && 'manifest' in found) return { manifest: found.manifest, bundleKey: place.bundle };
  }
  const overrun = Number(await bucket.getText(place.overrun));
  if (!(now() - overrun < LONGEST_BUILD_MS)) return undefined;
  for (const giveUpAt = now() + WAIT_MS; ;) {
    const found = await readLeft(bucket, place);
    // What an earlier build left may lie there still.
    if (found && found.at > overrun - WAITED_MS) {
      // Used once: the next request for this address builds what is there then.
      await bucket.putText(place.overrun, '0');
      if ('manifest' in found) return { manifest: found.manifest, bundleKey: place.bundle };
      throw buildFailed(found.failed);
    }
    if (now() >= giveUpAt) throw stillBuilding();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const buildFailed = (message: string) => new ServiceError('invalid', 'build_failed', message);

async function readLeft(
  bucket: Bucket,
  { manifest }: ReturnType<typeof placeOf>,
): Promise<BuildLeft | undefined> {
  const text = await bucket.getText(manifest);
  // What an earlier release left is built anew.
  return text === undefined ? undefined : BuildLeft.safeParse(JSON.parse(text)).data;
}
