import * as z from 'zod';
import { Limits, defaultUserLimits } from '../shared/domain/limits.ts';

/** What differs between deployments; everything else is the same everywhere. Given as CDK context `stage` (JSON). */
export const Stage = z.strictObject({
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/)
    .default('Tributary'),
  /** Webhooks and component fetches may go to private addresses. */
  allowPrivateNetwork: z.boolean().default(false),
  /** CIDRs that are allowed all the same. */
  networkAllowList: z.array(z.union([z.cidrv4(), z.cidrv6()])).default([]),
  npmRegistry: z.url().default('https://registry.npmjs.org/'),
  /** Host → origin that answers for it when component code is fetched. */
  componentHosts: z.record(z.string(), z.string()).default({}),
  /**
   * Host → `host:port` that components reach in its place when they run, `*` for every name but localhost; TLS goes on asking for the
   * host's own certificate.
   */
  runnerHosts: z.record(z.string(), z.string().regex(/^[^\s/]+:\d{1,5}$/)).default({}),
  limits: Limits.prefault(defaultUserLimits),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Children that one runner instance keeps warm. */
  warmRunners: z.int().min(1).default(16),
  /** Concurrent invocations per event-source mapping, at least 2; the defaults fit an account with a limit of 10. */
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
  /** Topic that alarms notify; without one they only show. */
  alarmTopicArn: z.string().optional(),
});
export type Stage = z.infer<typeof Stage>;
