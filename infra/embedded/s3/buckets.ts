/** The part of `AWS::S3::Bucket` that has an effect here. */
export interface BucketSpec {
  readonly name: string;
  readonly lifecycleRules?: readonly LifecycleRule[];
}

export interface LifecycleRule {
  /** Absent: every object. */
  readonly prefix?: string;
  readonly expirationDays?: number;
  /** Without effect here, because multipart uploads cannot be begun. */
  readonly abortIncompleteMultipartUploadDays?: number;
  /** Absent: enabled. */
  readonly enabled?: boolean;
}

const DAY_MS = 86_400_000;

/**
 * From when on an object is expired, if a rule says so: its days are counted from its last change and rounded up to the
 * next midnight UTC; of several rules the shortest counts.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
 */
export function expiresAt(
  { lifecycleRules = [] }: BucketSpec,
  key: string,
  modifiedAt: number,
): number | undefined {
  let earliest: number | undefined;
  for (const { prefix = '', expirationDays, enabled = true } of lifecycleRules) {
    if (!enabled || expirationDays === undefined || !key.startsWith(prefix)) continue;
    const at = Math.ceil((modifiedAt + expirationDays * DAY_MS) / DAY_MS) * DAY_MS;
    if (earliest === undefined || at < earliest) earliest = at;
  }
  return earliest;
}

export const nextMidnight = (now: number) => (Math.floor(now / DAY_MS) + 1) * DAY_MS;
