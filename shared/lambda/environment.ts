import * as z from 'zod';
import { Isolation } from '../domain/runner/isolation.ts';
import { Limits } from '../domain/limits.ts';
import type { TargetRule } from '../domain/target/target-rule.ts';
import type { NetworkRule } from '../domain/network/network-rule.ts';

const Address = z.string().refine((text) => URL.canParse(text), 'Invalid URL');

/** Comma-separated. */
const TextList = z.string().transform((text) => text.split(',').filter((each) => each !== ''));

/** zod compiles a schema at its first use, which costs more than it saves for what a cold start parses once. */
const ONCE = { jitless: true };

/**
 * All environment variables of the functions. A function parses the ones it uses at cold start, so that a function
 * without its configuration never accepts a request. `infra/` sets each variable together with the permission that
 * belongs to it.
 */
const variables = z.object({
  TABLE_NAME: z.string().min(1),
  /**
   * Leases of another epoch are void. A host that ended all processes of the functions starts a new one; on AWS it
   * stays.
   */
  LEASE_EPOCH: z.string().regex(/^[\w-]+$/),
  BUCKET_NAME: z.string().min(1),
  RUNS_QUEUE_URL: Address,
  DELIVERIES_QUEUE_URL: Address,
  RETRIES_QUEUE_URL: Address,
  TIMERS_QUEUE_URL: Address,
  /** The queue whose messages CloudWatch counts as successes of the heartbeat. */
  HEARTBEAT_QUEUE_URL: Address,
  /** The dead-letter queue of the queue that the function consumes. */
  DEAD_LETTERS_URL: Address,
  /** The queue that the function consumes. */
  QUEUE_URL: Address,
  RUNS_QUEUE_ARN: z.string(),
  RETRIES_QUEUE_ARN: z.string(),
  TIMERS_QUEUE_ARN: z.string(),
  RUNNER_FUNCTION: z.string(),
  /** The sources that share an execution environment of the runner. */
  RUNNER_ISOLATION: Isolation,
  BUILDER_FUNCTION: z.string(),
  /** The function that renews the tokens of accounts. */
  OAUTH_FUNCTION: z.string(),
  /** The KMS key that encrypts the fields of connected accounts, and signing secrets. */
  ACCOUNT_KEY_ARN: z.string(),
  SCHEDULE_GROUP: z.string(),
  SCHEDULER_ROLE_ARN: z.string(),
  SCHEDULES_DEAD_LETTERS_ARN: z.string(),
  /** Origin of the API for browsers, without a trailing slash. */
  PUBLIC_API_URL: Address,
  /** Origin of the live streams. */
  LIVE_URL: Address,
  /** Base URL of the ingress, without a trailing slash. */
  INGRESS_URL: Address,
  /** `1`: webhooks and fetches may connect to private addresses. */
  ALLOW_PRIVATE_NETWORK: z.enum(['0', '1']).transform((text) => text === '1'),
  /** CIDR blocks that are always allowed, comma-separated. */
  NETWORK_ALLOW_LIST: TextList,
  /** Patterns of the ARNs of buses, queues and roles that deliveries may use, comma-separated. */
  TARGETS: TextList,
  /** ARNs of the queues of the stack, comma-separated. */
  OWN_QUEUES: TextList,
  /** IPv4 addresses that deliveries come from, comma-separated; empty when they change. */
  DELIVERY_ADDRESSES: z.string().transform((text) => (text === '' ? null : text.split(','))),
  NPM_REGISTRY: Address,
  /** JSON: host → origin to fetch component code from instead. */
  COMPONENT_HOSTS: z.string(),
  /** JSON: host → `host:port` that components connect to instead. */
  RUNNER_HOSTS: z.string(),
  /** Runner invocations that one batch of triggers makes at the same time. */
  RUNNERS_PER_BATCH: z
    .string()
    .regex(/^[1-9]\d*$/)
    .transform(Number),
  /** Messages that execute backlogs at the same time, in all instances. */
  MAX_SLICES: z
    .string()
    .regex(/^[1-9]\d*$/)
    .transform(Number),
  /** Maximum of events that share an item. */
  EVENTS_PER_ITEM: z
    .string()
    .regex(/^[1-9]\d*$/)
    .transform(Number),
  /** Maximum of warm processes; read by the runner. */
  RUNNER_WARM: z.string().regex(/^[1-9]\d*$/),
  /** JSON of `Limits`, the stage's limits for users. */
  LIMITS: z.string().transform((json) => Limits.parse(JSON.parse(json), ONCE)),
  /** Namespace of the stage's own metrics; empty without CloudWatch, where functions write counts instead. */
  METRIC_NAMESPACE: z.string(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']),
  /** `1`: the service is paused, for looking at its data. */
  PAUSED: z.enum(['0', '1']).transform((text) => text === '1'),
});

export type Variable = keyof typeof variables.shape;

/** `environment('TABLE_NAME', …)` → the parsed values. Throws at cold start and names missing variables. */
export function environment<const Names extends readonly Variable[]>(
  ...names: Names
): Pick<z.output<typeof variables>, Names[number]> {
  const shape = Object.fromEntries(names.map((name) => [name, variables.shape[name]]));
  const parsed = z.object(shape).parse(process.env, ONCE);
  // `fromEntries` loses the names from the type; the shape has exactly `names`.
  return z.custom<Pick<z.output<typeof variables>, Names[number]>>().parse(parsed);
}

/** Variables set by the Lambda runtime, and by the operator for proxies and certificates. */
const Machine = z.object({
  /** Directory of the function's own files. */
  LAMBDA_TASK_ROOT: z.string().min(1),
  HTTP_PROXY: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  NODE_EXTRA_CA_CERTS: z.string().optional(),
  SSL_CERT_FILE: z.string().optional(),
  SSL_CERT_DIR: z.string().optional(),
});

const PortList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .filter((port) => port !== '')
      .map(Number),
  );

/** Set where the functions share a machine with the service that they belong to. */
const ServicePorts = z.object({
  /** Ports of the service. */
  OWN_PORTS: PortList,
  /** Ports of its ingress. */
  OPEN_PORTS: PortList,
});

/** The addresses that a function may connect to on a user's behalf. */
export function networkRule(): NetworkRule {
  const { OWN_PORTS, OPEN_PORTS } = ServicePorts.parse(process.env, ONCE);
  const env = environment('ALLOW_PRIVATE_NETWORK', 'NETWORK_ALLOW_LIST');
  return {
    allowPrivate: env.ALLOW_PRIVATE_NETWORK,
    allowList: env.NETWORK_ALLOW_LIST,
    ownPorts: OWN_PORTS,
    openPorts: OPEN_PORTS,
  };
}

/** The buses and queues that the service may send to on a user's behalf. */
export function targetRule(): TargetRule {
  const { TARGETS, OWN_QUEUES } = environment('TARGETS', 'OWN_QUEUES');
  return { patterns: TARGETS, ownQueues: OWN_QUEUES };
}

export const machine = (): z.output<typeof Machine> => Machine.parse(process.env);
