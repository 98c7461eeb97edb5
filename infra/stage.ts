import * as z from 'zod';
import { Limits, defaultUserLimits } from '../shared/domain/limits.ts';

/** Settings that differ between deployments. Passed as CDK context `stage` (JSON). */
export const Stage = z.strictObject({
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/)
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
  limits: Limits.prefault(defaultUserLimits),
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
