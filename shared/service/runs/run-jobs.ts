import type { Bucket } from '../../aws/bucket.ts';
import { bundleKey } from '../../aws/object-keys.ts';
import type { Runner } from '../../aws/runner.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import type { LogLine } from '../../domain/log-event.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import {
  defaultLimits,
  type Job,
  type RunError,
  type RunnerLine,
  type RunnerRequest,
} from '../../domain/run.ts';
import type { Source, SourceConfiguration, SourceTraits } from '../../domain/source.ts';
import { endpointProp } from '../../domain/traits.ts';
import { accountValues, hasAccount } from '../../runtime/redaction/account-fields.ts';
import { Redactor } from '../../runtime/redaction/redactor.ts';

export type EmitLine = Extract<RunnerLine, { k: 'emit' }>;
export type RespondLine = Extract<RunnerLine, { k: 'respond' }>;

/** What became of one job. */
export interface JobResult {
  /**
   * `lost`: begun, but the runner vanished under it. `silent`: the runner vanished, and nothing was heard of it: it may have begun.
   * `unready`: the runner could not begin it. `unstarted`: there was no time for it, or it stood behind one of those.
   */
  state: 'ended' | 'lost' | 'silent' | 'unready' | 'unstarted';
  emits: EmitLine[];
  /** Emits that were refused, and at last what the job threw or was ended by. */
  errors: RunError[];
  logs: LogLine[];
  response?: RespondLine;
  /** The db after it, when it changed it. */
  db?: string;
  /** Its run time. */
  ms: number;
  /** What it threw or was ended by. */
  failure?: RunError;
  /** Why it did not begin, for whoever keeps the runner going. */
  unreadyReason?: string;
  /** Redacts the account's credentials in the trigger's event; absent without an account. */
  redactor?: Pick<Redactor, 'inJson'>;
}

export interface JobServices {
  runner: Runner;
  bucket: Pick<Bucket, 'presignGet'>;
  /** Base address of endpoints. */
  ingressUrl: string;
  accounts: AccountReader;
  limits: { runTimeoutMs: number; runMemoryMb: number };
}

export interface JobsRequest {
  source: Source;
  /** What to run: the source's own configuration, or the one that is about to become it. */
  configuration: SourceConfiguration;
  traits: SourceTraits;
  db: string;
  jobs: readonly Job[];
  /** Epoch ms. */
  startBefore: number;
  /** Of one job; the source's own limit unless the caller has less time. */
  timeoutMs?: number;
}

/** A bundle's address outlives the longest invocation, and is signed anew well before it ends. */
const ADDRESS_SECONDS = 900;
const ADDRESS_REUSED_MS = 60_000;
const MOST_ADDRESSES = 500;

export type JobRunner = (request: JobsRequest) => Promise<Map<string, JobResult>>;

/** Runs jobs of one source in one invocation of the runner; throws `unavailable` when nothing was started. */
export function createJobRunner(services: JobServices, now: () => number): JobRunner {
  const { runner, bucket, ingressUrl, accounts, limits } = services;
  const addresses = new TtlCache<string, string>({
    ttlMs: ADDRESS_REUSED_MS,
    maxEntries: MOST_ADDRESSES,
    now,
  });

  async function addressOf(key: string): Promise<string> {
    const known = addresses.get(key);
    if (known !== undefined) return known;
    const url = await bucket.presignGet(key, ADDRESS_SECONDS);
    addresses.set(key, url);
    return url;
  }

  return async ({ source, configuration, traits, db, jobs, startBefore, timeoutMs }) => {
    const results = new Map<string, JobResult>();
    const props = await accounts.connect(
      source.ownerId,
      propsOf(source, configuration, traits, ingressUrl),
      traits.appProps,
    );
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
        timeoutMs: timeoutMs ?? limits.runTimeoutMs,
        memoryMb: limits.runMemoryMb,
      },
      startBefore,
      jobs: [...jobs],
    };
    const redaction = hasAccount(props) ? { redactor: new Redactor(accountValues(props)) } : {};
    for (const { id } of jobs) results.set(id, { ...unstarted(), ...redaction });
    const ending = await runner.run(request, (line) => {
      const result = results.get(line.job);
      if (result) applyLine(result, line);
    });
    if (ending === 'lost') markSilent(results);
    return results;
  };
}

/** As stored, with what only we know: the endpoint's address. */
function propsOf(
  { endpointId }: Source,
  { configuredProps }: SourceConfiguration,
  traits: SourceTraits,
  ingressUrl: string,
): Record<string, unknown> {
  const name = endpointProp(traits);
  if (name === undefined || endpointId === undefined) return configuredProps;
  const shown = { ...Object(configuredProps[name]), endpoint: `${ingressUrl}/${endpointId}` };
  return { ...configuredProps, [name]: shown };
}

const unstarted = (): JobResult => ({ state: 'unstarted', emits: [], errors: [], logs: [], ms: 0 });

/** Of jobs that follow one another, the first without an end is the one that the runner was lost with. */
function markSilent(results: ReadonlyMap<string, JobResult>): void {
  const [first] = [...results.values()].filter(({ state }) => state !== 'ended');
  if (first?.state === 'unstarted') first.state = 'silent';
}

/** Any other line shows that the job began; until its end it counts as lost. */
function applyLine(result: JobResult, line: RunnerLine): void {
  if (line.k === 'unready') {
    result.state = 'unready';
    result.unreadyReason = line.message;
    return;
  }
  if (result.state === 'unstarted') result.state = 'lost';
  switch (line.k) {
    case 'emit':
      result.emits.push(line);
      return;
    case 'error':
      result.errors.push(line.error);
      return;
    case 'log':
      result.logs.push(line);
      return;
    case 'db':
      result.db = line.json;
      return;
    case 'respond':
      result.response ??= line;
      return;
    case 'described':
    case 'props':
    case 'options':
      return;
    case 'end':
      result.state = 'ended';
      result.ms = line.ms;
      if (line.error) {
        result.failure = line.error;
        result.errors.push(line.error);
      }
  }
}

/** Why a job has no end of its own. */
export const CRASHED: RunError = {
  code: 'crashed',
  name: 'Error',
  message: 'The run was lost: what ran it ended without an answer',
  stack: '',
};
