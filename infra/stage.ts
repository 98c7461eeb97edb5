import * as z from 'zod';
import { Isolation } from '../shared/domain/isolation.ts';
import { Limits, defaultUserLimits } from '../shared/domain/limits.ts';

const flag = z.boolean('must be true or false');
/** An integer, with its default. */
const integer = (min: number, max: number, preset: number) =>
  z
    .int('must be an integer')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(preset);
const concurrency = integer(2, 1_000, 2);
const Concurrency = z.strictObject(
  { runs: concurrency, deliveries: concurrency, retries: concurrency, timers: concurrency },
  'must be an object',
);
const Throttle = z.strictObject(
  {
    rate: z.number('must be a number').positive('must be more than 0').default(1_000),
    burst: integer(1, 1_000_000, 2_000),
  },
  'must be an object',
);

/** Settings that differ between deployments. */
export const Stage = z.strictObject({
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be a letter, then up to 63 letters, digits and hyphens')
    .default('Tributary'),
  /** Allows webhooks and component fetches to private addresses. */
  allowPrivateNetwork: flag.default(false),
  /** CIDR blocks that are always allowed. */
  networkAllowList: z
    .array(z.union([z.cidrv4(), z.cidrv6()], 'must be a CIDR block, such as 10.1.0.0/16'), 'must be an array')
    .default([]),
  npmRegistry: z.url('must be a URL').default('https://registry.npmjs.org/'),
  /** Host → origin to fetch component code from instead. */
  componentHosts: z
    .record(z.string(), z.url('must be an origin, such as https://mirror.example'), 'must be an object')
    .default({}),
  /**
   * Host → `host:port` that running components connect to instead; `*` for every name except localhost. TLS still checks the certificate of
   * the original host.
   */
  runnerHosts: z
    .record(
      z.string(),
      z.string('must be host:port').regex(/^[^\s/]+:\d{1,5}$/, 'must be host:port'),
      'must be an object',
    )
    .default({}),
  /** Limits of a user. An absent limit has its default. */
  limits: z
    .strictObject(Limits.shape, 'must be an object')
    .partial()
    .prefault({})
    .transform((limits) => ({ ...defaultUserLimits, ...limits }))
    .pipe(Limits),
  logLevel: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('info'),
  /** The sources that share an execution environment of the runner. */
  isolation: Isolation.default('source'),
  /** Maximum of warm child processes per runner instance. */
  warmRunners: integer(1, 1_000, 16),
  /** Concurrent invocations per event-source mapping, at least 2; the defaults fit into an account limit of 10. */
  concurrency: Concurrency.prefault({}),
  /** Requests per second and burst of each HTTP API. */
  throttle: Throttle.prefault({}),
  /** SNS topic that alarms notify; without it they are only visible in CloudWatch. */
  alarmTopicArn: z.string('must be an ARN').optional(),
});
export type Stage = z.infer<typeof Stage>;

/** The settings of each group. */
const GROUPS = new Map<string, object>([
  ['limits', Limits.shape],
  ['concurrency', Concurrency.shape],
  ['throttle', Throttle.shape],
]);

/** The message names the first wrong setting and what it must be. */
export class StageError extends Error {}

/** Reads the CDK context `stage`: an object, or its JSON text. */
export function readStage(context: unknown = {}): Stage {
  const { success, data, error } = Stage.safeParse(typeof context === 'string' ? parsed(context) : context);
  if (success) return data;
  const [issue] = error.issues;
  const path = ['stage', ...(issue?.path ?? [])].join('.');
  if (issue?.code !== 'unrecognized_keys') throw new StageError(`${path} ${issue?.message ?? 'is wrong'}.`);
  const known = Object.keys(GROUPS.get(String(issue.path[0])) ?? Stage.shape);
  throw new StageError(
    `${path}.${issue.keys.join(`, ${path}.`)}: no such setting. There are ${known.join(', ')}.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StageError(`stage: must be JSON, for example -c stage='{"stackName":"Mine"}'.`);
  }
}
