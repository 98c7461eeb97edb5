import * as z from 'zod';
import { Limits } from '../domain/limits.ts';

const Address = z.string().refine((text) => URL.canParse(text), 'Invalid URL');

/**
 * Every variable that the stack gives to some function. A function parses the ones it uses once, at cold start: one that lacks
 * its configuration never takes a request. `infra/` sets each together with the permission it stands for.
 */
const variables = z.object({
  TABLE_NAME: z.string().min(1),
  BUCKET_NAME: z.string().min(1),
  RUNS_QUEUE_URL: Address,
  DELIVERIES_QUEUE_URL: Address,
  RETRIES_QUEUE_URL: Address,
  TIMERS_QUEUE_URL: Address,
  RUNS_QUEUE_ARN: z.string(),
  RETRIES_QUEUE_ARN: z.string(),
  TIMERS_QUEUE_ARN: z.string(),
  RUNNER_FUNCTION: z.string(),
  BUILDER_FUNCTION: z.string(),
  /** The key under which the fields of connected accounts rest. */
  ACCOUNT_KEY_ARN: z.string(),
  SCHEDULE_GROUP: z.string(),
  SCHEDULER_ROLE_ARN: z.string(),
  /** Base address of the ingress, without a slash at its end. */
  INGRESS_URL: Address,
  /** `1`: webhooks and fetches may go to private addresses. */
  ALLOW_PRIVATE_NETWORK: z.enum(['0', '1']).transform((text) => text === '1'),
  /** CIDRs that are allowed all the same, comma-separated. */
  NETWORK_ALLOW_LIST: z.string().transform((text) => text.split(',').filter((cidr) => cidr !== '')),
  NPM_REGISTRY: Address,
  /** JSON: host → origin that answers for it. */
  COMPONENT_HOSTS: z.string(),
  /** JSON: host → `host:port` that components reach in its place. */
  RUNNER_HOSTS: z.string(),
  /** A count of processes; the runner reads it by itself. */
  RUNNER_WARM: z.string().regex(/^[1-9]\d*$/),
  /** JSON of `Limits`, the stage's figures for users. */
  LIMITS: z.string().transform((json) => Limits.parse(JSON.parse(json))),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']),
});

export type Variable = keyof typeof variables.shape;

/** `environment('TABLE_NAME', …)` → the parsed values; throws at cold start naming what is missing. */
export function environment<const Names extends readonly Variable[]>(
  ...names: Names
): Pick<z.output<typeof variables>, Names[number]> {
  const shape = Object.fromEntries(names.map((name) => [name, variables.shape[name]]));
  const parsed = z.object(shape).parse(process.env);
  // The shape holds exactly `names`, which its type cannot show through `fromEntries`.
  return z.custom<Pick<z.output<typeof variables>, Names[number]>>().parse(parsed);
}

/** What the runtime and the machine set beside the stack: an operator's certificates and proxies, where there are any. */
const Machine = z.object({
  /** Where the function's own files lie. */
  LAMBDA_TASK_ROOT: z.string().min(1),
  HTTP_PROXY: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  NODE_EXTRA_CA_CERTS: z.string().optional(),
  SSL_CERT_FILE: z.string().optional(),
  SSL_CERT_DIR: z.string().optional(),
});

export const machine = (): z.output<typeof Machine> => Machine.parse(process.env);
