import type { AwsCredentialIdentity } from '@smithy/types';
import { once } from 'node:events';
import { cachedRead, TtlCache } from '../../lib/ttl-cache.ts';
import { apiError } from './api-error.ts';
import { signedRequest } from './signed-request.ts';

interface Role {
  roleArn: string;
  externalId: string;
  partition: string;
  region: string;
}

export type AssumeRole = (role: Role & { signal: AbortSignal }) => Promise<AwsCredentialIdentity>;

interface AssumeRoleOptions {
  credentials(): Promise<AwsCredentialIdentity>;
  /** Unpredictable text. */
  randomText(): string;
  addressOf(service: 'sts', where: { partition: string; region: string }): string;
  now(): number;
}

/** Credentials of a role that another role assumed last an hour at most. */
const CACHE_MS = 45 * 60_000;
/** A changed trust policy has effect after that. */
const REFUSED_MS = 30_000;
const MAX_CACHED = 1_000;
/** Other attempts wait for the same request, so it does not end with the attempt that made it. */
const TIMEOUT_MS = 10_000;

/**
 * Assumes roles of users for their targets. A role whose trust policy takes any external id would be open to every user
 * of this service, so it is refused. https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
 */
export function createAssumeRole({ credentials, randomText, addressOf, now }: AssumeRoleOptions): AssumeRole {
  const assumed = new TtlCache<string, Promise<AwsCredentialIdentity>>({
    ttlMs: CACHE_MS,
    maxEntries: MAX_CACHED,
    now,
  });
  const refusals = new TtlCache<string, Error>({ ttlMs: REFUSED_MS, maxEntries: MAX_CACHED, now });

  async function request({ roleArn, externalId, partition, region }: Role) {
    const { status, text } = await signedRequest({
      service: 'sts',
      region,
      address: addressOf('sts', { partition, region }),
      credentials: await credentials(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        Action: 'AssumeRole',
        Version: '2011-06-15',
        RoleArn: roleArn,
        RoleSessionName: 'tributary',
        ExternalId: externalId,
      }).toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const member = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '';
    if (status !== 200) throw apiError(member('Code') || 'Failure', member('Message') || 'STS gave no reason', status);
    const sessionToken = member('SessionToken');
    if (sessionToken === '') throw apiError('InternalFailure', 'STS gave no credentials', 500);
    return { accessKeyId: member('AccessKeyId'), secretAccessKey: member('SecretAccessKey'), sessionToken };
  }

  async function assume(key: string, role: Role): Promise<AwsCredentialIdentity> {
    try {
      const made = await request(role);
      const open = await request({ ...role, externalId: randomText() }).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
      if (!open) return made;
      const mend = `must require the external id ${role.externalId} (sts:ExternalId)`;
      throw apiError('AccessDenied', `The trust policy of ${role.roleArn} ${mend}`, 403);
    } catch (error) {
      if (isRefusal(error)) refusals.set(key, error);
      throw error;
    }
  }

  return async ({ signal, ...role }) => {
    const key = `${role.roleArn} ${role.externalId}`;
    const refusal = refusals.get(key);
    if (refusal) throw refusal;
    signal.throwIfAborted();
    const made = cachedRead(assumed, key, () => assume(key, role));
    await Promise.race([made, once(signal, 'abort')]);
    signal.throwIfAborted();
    return made;
  };
}

const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'AccessDenied';
