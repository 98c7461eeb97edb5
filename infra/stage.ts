import * as z from 'zod';
import { Limits, defaultUserLimits } from '../shared/domain/limits.ts';

/** Settings that differ between deployments. */
export const Stage = z.strictObject({
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be a letter, then up to 63 letters, digits and hyphens')
    .default('Tributary'),
  /** Allows webhooks and component fetches to private addresses. */
  allowPrivateNetwork: z.boolean().default(false),
  /** CIDR blocks that are always allowed. */
  networkAllowList: z.array(z.union([z.cidrv4(), z.cidrv6()])).default([]),
  npmRegistry: z.url().default('https://registry.npmjs.org/'),
  /** Host → origin to fetch component code from instead. */
  componentHosts: z.record(z.string(), z.string()).default({}),
  /**
   * Host → `host:port` that running components connect to instead; `*` for every name except localhost. TLS still checks the certificate of
   * the original host.
   */
  runnerHosts: z.record(z.string(), z.string().regex(/^[^\s/]+:\d{1,5}$/)).default({}),
  /** Limits of a user. An absent limit has its default. */
  limits: z
    .strictObject(Limits.shape)
    .partial()
    .prefault({})
    .transform((limits) => ({ ...defaultUserLimits, ...limits }))
    .pipe(Limits),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Maximum of warm child processes per runner instance. */
  warmRunners: z.int().min(1).default(16),
  /** Concurrent invocations per event-source mapping, at least 2; the defaults fit into an account limit of 10. */
  concurrency: z
    .strictObject({
      runs: z.int().min(2).max(1000),
      deliveries: z.int().min(2).max(1000),
      retries: z.int().min(2).max(1000),
      timers: z.int().min(2).max(1000),
    })
    .prefault({ runs: 2, deliveries: 2, retries: 2, timers: 2 }),
  /** Requests per second and burst of each HTTP API. */
  throttle: z
    .strictObject({ rate: z.number().positive(), burst: z.int().positive() })
    .prefault({ rate: 1_000, burst: 2_000 }),
  /** SNS topic that alarms notify; without it they are only visible in CloudWatch. */
  alarmTopicArn: z.string().optional(),
});
export type Stage = z.infer<typeof Stage>;

/** The message names the first wrong setting and what it must be. */
export class StageError extends Error {}

/** Reads the CDK context `stage`: an object, or its JSON text. */
export function readStage(context: unknown = {}): Stage {
  const { success, data, error } = Stage.safeParse(typeof context === 'string' ? parsed(context) : context);
  if (success) return data;
  const [issue] = error.issues;
  const path = ['stage', ...(issue?.path ?? [])].join('.');
  if (issue?.code !== 'unrecognized_keys') throw new StageError(`${path} ${issue?.message ?? 'is wrong'}.`);
  const known = Object.keys(issue.path[0] === 'limits' ? Limits.shape : Stage.shape);
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
