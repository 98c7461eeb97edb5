import * as z from 'zod';
import { LEVELS } from '../infra/embedded/isolation/levels.ts';
import { Stage, StageSettings } from '../infra/stage.ts';
import { endpointLabelReader, pathBase } from '../shared/domain/source/endpoint-address.ts';

const Block = z.union([z.cidrv4(), z.cidrv6()], 'must be CIDR blocks separated by commas');

const Proxy = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be addresses or CIDR blocks separated by commas',
);

const RegistryUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const NO_ORIGIN = 'must be the origin of an http or https URL, such as https://tributary.example.com';
const Origin = z
  .url({ protocol: /^https?$/, error: NO_ORIGIN })
  .transform((url) => url.replace(/\/$/, ''))
  .refine((url) => URL.canParse(url) && new URL(url).origin === url, NO_ORIGIN);

const NO_WILDCARD =
  'may have * only as the first label of its host, without a path, such as https://*.hooks.example.com';
const WILDCARD_ORIGIN = /^https?:\/\/\*\.[^*/?#@]+$/i;

const MAX_PORT = 65_535;
const PORT_RANGE = 'must be a port number, 0 to 65535';
const Port = z
  .string()
  .regex(/^\d{1,5}$/, PORT_RANGE)
  .transform(Number)
  .refine((port) => port <= MAX_PORT, PORT_RANGE);

/** Environment variables of the service, listed in docs/embedded.md. An empty variable counts as not set. */
export const Environment = z.object({
  PORT: Port.default(3000),
  INGRESS_PORT: Port.optional(),
  HOST: z.string().regex(/^\S+$/, 'must be an address to listen on').default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  API_KEY: z
    .string()
    .min(20, 'must have at least 20 characters')
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional(),
  ALLOW_PRIVATE_NETWORK: z.enum(['0', '1'], 'must be 0 or 1').default('1'),
  NETWORK_ALLOW_LIST: z
    .string()
    .transform((text) => text.split(',').map((block) => block.trim()))
    .pipe(z.array(Block))
    .default([]),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((proxy) => proxy.trim()))
    .pipe(z.array(Proxy))
    .default([]),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .refine((url) => !url.includes('*') || WILDCARD_ORIGIN.test(url), NO_WILDCARD)
    .optional(),
  PUBLIC_API_URL: Origin.optional(),
  NPM_REGISTRY: RegistryUrl.optional(),
  /** The registry of the user's npm, which npm passes to its scripts. */
  npm_config_registry: RegistryUrl.optional(),
  SYNC: z.enum(['interval', 'always'], 'must be interval or always').default('interval'),
  ISOLATION: z.enum(LEVELS, 'must be sandbox, user or process').optional(),
  STORED_BYTES: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a number of bytes')
    .transform(Number)
    .optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('warn'),
});

export type Settings = ReturnType<typeof readSettings>;

/** The message names the first invalid variable. */
export class SettingsError extends Error {}

/** Limits of a single machine: it has no AWS account limit, and its gateway serves only this service. */
const OWN_MACHINE = {
  concurrency: {
    account: 10_000,
    runs: 100,
    runnersPerBatch: 10,
    // A batch with a webhook that hangs takes 5 s: the others must not wait for it.
    deliveries: 250,
    retries: 100,
    timers: 10,
  },
  throttle: { rate: 100_000, burst: 100_000 },
  // Runs cost nothing here but the machine's own time.
  limits: {
    components: 100_000,
    concurrentRuns: 100,
    liveStreams: 100,
    sourceRequestRate: 1_000_000,
    userRequestRate: 1_000_000,
    freeInvocations: 1_000_000_000,
    freeComputeMs: 1_000_000_000_000,
  },
  // There is room for more idle processes than in an environment of the runner.
  warmRunners: 16,
  // The queues and the bus of this machine's account, which keep for an hour what they get.
  targets: [
    'arn:aws:events:us-east-1:000000000000:event-bus/default',
    'arn:aws:sqs:us-east-1:000000000000:target',
    'arn:aws:sqs:us-east-1:000000000000:target.fifo',
  ],
  // Each source has its own processes here; an instance of the runner for each source would only keep more of them
  // ready.
  isolation: 'user',
};

/** `defaultStorage` is the limit of the bytes stored for each user where `STORED_BYTES` is not set; default 20 GiB. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  defaultStorage: (dataDir: string) => number | undefined = () => undefined,
) {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { success, data, error } = Environment.safeParse(values);
  if (!success) {
    const [issue] = error.issues;
    throw new SettingsError(`${String(issue?.path[0])} ${issue?.message ?? 'is wrong'}.`);
  }
  const storedBytes = data.STORED_BYTES ?? defaultStorage(data.DATA_DIR);
  return {
    /** Port of the API and the console. */
    port: data.PORT,
    ingressPort: ingressPortOf(data),
    host: data.HOST,
    dataDir: data.DATA_DIR,
    apiKey: data.API_KEY,
    publicUrl: data.PUBLIC_URL,
    publicApiUrl: publicApiUrlOf(data),
    trustedProxies: data.TRUSTED_PROXIES,
    sync: data.SYNC,
    /** The isolation level that is demanded. */
    isolation: data.ISOLATION,
    stage: Stage.parse({
      ...OWN_MACHINE,
      limits: {
        ...OWN_MACHINE.limits,
        ...(storedBytes === undefined ? {} : { storedBytes }),
      },
      allowPrivateNetwork: data.ALLOW_PRIVATE_NETWORK === '1',
      networkAllowList: data.NETWORK_ALLOW_LIST,
      logLevel: data.LOG_LEVEL,
      ...registryOf(data),
      ...hostsOf(values),
      ...runnerHostsOf(values),
    }),
  };
}

/** Two free ports for tests and trials, else the port after the API's. */
function ingressPortOf({ PORT, INGRESS_PORT }: z.output<typeof Environment>): number {
  if (INGRESS_PORT === undefined && PORT === MAX_PORT)
    throw new SettingsError(`INGRESS_PORT must be set, because there is no port after PORT ${PORT}.`);
  const port = INGRESS_PORT ?? (PORT === 0 ? 0 : PORT + 1);
  if (port === PORT && port !== 0) throw new SettingsError('INGRESS_PORT must differ from PORT.');
  return port;
}

/** The console's origin is not that of what components answer. */
function publicApiUrlOf({ PUBLIC_API_URL, PUBLIC_URL }: z.output<typeof Environment>): string | undefined {
  if (PUBLIC_API_URL === undefined || PUBLIC_URL === undefined) return PUBLIC_API_URL;
  if (new URL(pathBase(PUBLIC_URL)).origin === PUBLIC_API_URL)
    throw new SettingsError('PUBLIC_API_URL must differ from PUBLIC_URL in its host or its port.');
  const label = endpointLabelReader(PUBLIC_URL)(new URL(PUBLIC_API_URL).host);
  if (label !== undefined)
    throw new SettingsError('PUBLIC_API_URL must not be a host below PUBLIC_URL, where components respond.');
  return PUBLIC_API_URL;
}

/** Packages of components come from the registry of the user's npm, unless another one is set. */
function registryOf({ NPM_REGISTRY, npm_config_registry }: z.output<typeof Environment>) {
  const npmRegistry = NPM_REGISTRY ?? npm_config_registry;
  return npmRegistry === undefined ? {} : { npmRegistry };
}

/** JSON: host → origin of a mirror. */
function hostsOf({ COMPONENT_HOSTS }: Record<string, string | undefined>) {
  if (COMPONENT_HOSTS === undefined) return {};
  try {
    return { componentHosts: z.record(z.string(), z.url()).parse(JSON.parse(COMPONENT_HOSTS)) };
  } catch {
    throw new SettingsError('COMPONENT_HOSTS must be a JSON object: {"host": "https://origin"}.');
  }
}

/** JSON: host → `host:port` that components connect to instead. */
function runnerHostsOf({ RUNNER_HOSTS }: Record<string, string | undefined>) {
  if (RUNNER_HOSTS === undefined) return {};
  try {
    return { runnerHosts: StageSettings.shape.runnerHosts.parse(JSON.parse(RUNNER_HOSTS)) };
  } catch {
    throw new SettingsError('RUNNER_HOSTS must be a JSON object: {"host": "host:port"}.');
  }
}
