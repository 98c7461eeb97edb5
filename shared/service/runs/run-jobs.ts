import type { Bucket } from '../../aws/bucket.ts';
import { bundleKey } from '../../aws/object-keys.ts';
import type { Runner } from '../../aws/runner.ts';
import { isAccountExpired } from '../accounts/account-expired.ts';
import { accountMissing, missingAccounts } from '../accounts/account-missing.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { Job, RunnerRequest } from '../../domain/run/run.ts';
import { defaultLimits } from '../../domain/run-limits.ts';
import type { Source, SourceConfiguration } from '../../domain/source/source.ts';
import { endpointProp } from '../../domain/component/traits.ts';
import type { SourceTraits } from '../../domain/component/source-traits.ts';
import { endpointAddress } from '../../domain/source/endpoint-address.ts';
import { applyLine, type JobResult, markSilent, refused, unstarted } from './job-result.ts';
import type { SourceId } from '../../domain/id.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { credentialsIn, hasAccount } from '../../runtime/redaction/credentials.ts';
import { EarlierCredentials } from '../../runtime/redaction/earlier-credentials.ts';
import { Redactor } from '../../runtime/redaction/redactor.ts';

export interface JobRunnerOptions {
  runner: Runner;
  bucket: Pick<Bucket, 'presignGet'>;
  ingressUrl: string;
  accounts: AccountReader;
  limits: { runTimeoutMs: number; runMemoryMb: number };
}

interface JobsRequest {
  source: Source;
  /** The source's configuration, or that of its pending revision. */
  configuration: SourceConfiguration;
  traits: SourceTraits;
  db: string;
  jobs: readonly Job[];
  /** Latest start of a job, epoch ms. */
  startBefore: number;
  /** Latest end of a job, epoch ms; by default the stage's time limit alone ends it. */
  endBefore?: number;
  /** Longest wait for the renewal of an account; see `AccountCall`. */
  renewalWaitMs?: number;
  /** The jobs do not count as one of their owner's concurrent runs. */
  needsNoPermit?: boolean;
  /** Called when a job starts, or a moment before it: jobs run one after the other. */
  onStart?(id: string): void;
}

/** Validity of a presigned URL: longer than the longest invocation plus the time for which the URL is cached. */
const ADDRESS_SECONDS = 900;
const ADDRESS_REUSED_MS = 60_000;
const MAX_ADDRESSES = 500;

export type JobRunner = (request: JobsRequest) => Promise<Map<string, JobResult>>;

/** Runs jobs of one source in one invocation of the runner; throws `unavailable` when nothing was started. */
export function createJobRunner(options: JobRunnerOptions, now: () => number): JobRunner {
  const { runner, bucket, ingressUrl, accounts, limits } = options;
  const addressOf = presignedAddresses(bucket, now);
  const redactorOf = createSourceRedaction(now);

  return async ({
    source,
    configuration,
    traits,
    db,
    jobs,
    startBefore,
    endBefore = Infinity,
    renewalWaitMs,
    onStart,
  }) => {
    const results = new Map<string, JobResult>();
    const refusedJobs = (error: Parameters<typeof refused>[0]) => {
      const redactor = redactorOf(source.id);
      return new Map(jobs.map(({ id }) => [id, { ...refused(error), ...(redactor && { redactor }) }]));
    };
    // A hook runs without it: an app may need its account only sometimes, and a failed hook names its own cause.
    const missing = jobs.every(({ kind }) => kind === 'run') ? missingAccounts(traits, configuration) : [];
    if (missing.length > 0) return refusedJobs(accountMissing(missing));
    // Jobs run one after the other, and each may take the whole limit.
    const limitMs = () => Math.min(limits.runTimeoutMs, endBefore - now());
    const callMs = limitMs() + (jobs.length === 1 ? 0 : Math.max(startBefore - now(), 0));
    const filled = await accounts
      .fillProps(source.ownerId, propsOf(source, configuration, traits, ingressUrl), traits.appProps, {
        callMs,
        waitMs: renewalWaitMs,
      })
      .catch((error: unknown) => {
        if (!isAccountExpired(error)) throw error;
        return refusedJobs(error);
      });
    if (filled instanceof Map) return filled;
    const { props, oauthAccounts } = filled;
    // A renewal takes from the time of the run.
    const timeoutMs = limitMs();
    if (timeoutMs <= 0) return results;
    const request: RunnerRequest = {
      ownerId: source.ownerId,
      processKey: source.id,
      sourceId: source.id,
      bundle: {
        hash: configuration.bundleHash,
        url: await addressOf(bundleKey(source.ownerId, configuration.bundleHash)),
      },
      props,
      ...(configuration.additionalProps ? { additionalProps: configuration.additionalProps } : {}),
      db,
      limits: {
        ...defaultLimits,
        timeoutMs,
        memoryMb: limits.runMemoryMb,
      },
      startBefore,
      jobs: [...jobs],
    };
    const redactor = redactorOf(source.id, props);
    for (const { id } of jobs) results.set(id, { ...unstarted(), ...(redactor && { redactor }) });
    if (jobs[0]) onStart?.(jobs[0].id);
    const ending = await runner.run(request, (line) => {
      const result = results.get(line.job);
      if (!result) return;
      applyLine(result, line, now);
      if (line.k !== 'end' || !onStart) return;
      const next = jobs[jobs.findIndex(({ id }) => id === line.job) + 1];
      if (next) onStart(next.id);
    });
    if (ending === 'lost') markSilent(results);
    if ([...results.values()].some(({ failure }) => failure?.status === UNAUTHORIZED))
      await accounts.refuse(oauthAccounts);
    return results;
  };
}

function presignedAddresses(bucket: JobRunnerOptions['bucket'], now: () => number) {
  const addresses = new TtlCache<string, string>({
    ttlMs: ADDRESS_REUSED_MS,
    maxEntries: MAX_ADDRESSES,
    now,
  });
  return async (key: string): Promise<string> => {
    const known = addresses.get(key);
    if (known !== undefined) return known;
    const url = await bucket.presignGet(key, ADDRESS_SECONDS);
    addresses.set(key, url);
    return url;
  };
}

/** The stored props, with the URL of the source's endpoint added to its HTTP prop. */
function propsOf(
  { endpointId }: Source,
  { configuredProps, endpoint: form }: SourceConfiguration,
  traits: SourceTraits,
  ingressUrl: string,
): Record<string, unknown> {
  const name = endpointProp(traits);
  if (name === undefined || endpointId === undefined) return configuredProps;
  const endpoint = endpointAddress(ingressUrl, endpointId, form);
  return { ...configuredProps, [name]: { ...Object(configuredProps[name]), endpoint } };
}

/** A provider's refusal of the access token. */
const UNAUTHORIZED = 401;

/** The credentials of a source that runs less often are forgotten. */
const KEPT_MS = HOUR_MS;
const MAX_SOURCES = 500;

/**
 * Makes the redactor of a source's triggers. Without props, of jobs that do not start: by the credentials that are
 * known.
 */
type SourceRedaction = (id: SourceId, props?: Record<string, unknown>) => Redactor | undefined;

/** Remembers the credentials of sources: a trigger may repeat a token that was renewed, or that is no longer valid. */
function createSourceRedaction(now: () => number): SourceRedaction {
  const known = new TtlCache<SourceId, EarlierCredentials>({ ttlMs: KEPT_MS, maxEntries: MAX_SOURCES, now });
  return (id, props = {}) => {
    const credentials = known.get(id) ?? (hasAccount(props) ? new EarlierCredentials() : undefined);
    if (!credentials) return undefined;
    known.set(id, credentials);
    return new Redactor(credentials.addTo(credentialsIn(props)));
  };
}
