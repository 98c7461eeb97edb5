import type { Clock } from '../clock.ts';
import type { Objects } from './objects.ts';

/** The part of `AWS::S3::Bucket` that the embedded service interprets. */
export interface BucketSpec {
  readonly name: string;
  readonly lifecycleRules?: readonly LifecycleRule[];
}

interface LifecycleRule {
  /** Without a prefix, the rule applies to every object. */
  readonly prefix?: string;
  readonly expirationDays?: number;
  /** Default: true. */
  readonly enabled?: boolean;
}

const DAY_MS = 86_400_000;

/** Expires objects by the rules of their buckets, at every midnight UTC. */
export class Lifecycle {
  readonly #clock: Clock;
  readonly #objects: Objects;
  readonly #buckets: ReadonlyMap<string, BucketSpec>;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, objects: Objects, buckets: ReadonlyMap<string, BucketSpec>) {
    this.#clock = clock;
    this.#objects = objects;
    this.#buckets = buckets;
  }

  /** Expires the objects that are due now, and from now on at every midnight UTC. */
  async start(): Promise<void> {
    this.#expireDaily();
    await this.#expire();
  }

  stop(): void {
    this.#cancel();
  }

  #expireDaily(): void {
    const midnight = (Math.floor(this.#clock.now() / DAY_MS) + 1) * DAY_MS;
    this.#cancel = this.#clock.wakeAt(midnight, () => {
      this.#expireDaily();
      void this.#expire();
    });
  }

  async #expire(): Promise<void> {
    for (const [name, spec] of this.#buckets) {
      const expired: string[] = [];
      for (const [key, { modifiedAt }] of this.#objects.all(name)) {
        const at = expiresAt(spec, key, modifiedAt);
        if (at !== undefined && at <= this.#clock.now()) expired.push(key);
      }
      await this.#objects.remove(name, expired);
    }
  }
}

/**
 * The expiry of an object, if a rule applies: the days of the rule count from the last change, rounded up to the next
 * midnight UTC. Among several rules the shortest applies.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
 */
function expiresAt({ lifecycleRules = [] }: BucketSpec, key: string, modifiedAt: number): number | undefined {
  let earliest: number | undefined;
  for (const { prefix = '', expirationDays, enabled = true } of lifecycleRules) {
    if (!enabled || expirationDays === undefined || !key.startsWith(prefix)) continue;
    const at = Math.ceil((modifiedAt + expirationDays * DAY_MS) / DAY_MS) * DAY_MS;
    if (earliest === undefined || at < earliest) earliest = at;
  }
  return earliest;
}
