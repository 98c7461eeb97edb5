import * as z from 'zod';
import { Isolation } from '../shared/domain/runner/isolation.ts';
import { Limits, defaultUserLimits, MAX_EVENTS_PER_ITEM } from '../shared/domain/limits.ts';
import { defaultConcurrentRuns, defaultThrottle } from './capacity.ts';
import { Concurrency } from './concurrency.ts';
import { checkRelations } from './stage-relations.ts';
import {
  arnOf,
  bucketName,
  email,
  flag,
  hostname,
  integer,
  reference,
  stackName,
  tableName,
  tags,
  targetPatterns,
  wildcardHostname,
} from './stage-values.ts';

/** docs/operations.md on the web. */
const RUNBOOKS = 'https://github.com/tributary-events/tributary/blob/main/docs/operations.md';

const Throttle = z.strictObject(
  {
    rate: z.number('must be a number').positive('must be more than 0').optional(),
    burst: z
      .int('must be an integer')
      .min(1, 'must be at least 1')
      .max(1_000_000, 'must be at most 1000000')
      .optional(),
  },
  'must be an object',
);

/** CodeDeploy has a configuration for each. */
const CANARY_MINUTES = [0, 5, 10, 15, 30] as const;

/** The periods that CloudWatch Logs knows. */
const LOG_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;
const Retention = z.strictObject(
  {
    /** Table, bucket and key when the stack is deleted. */
    data: z.enum(['retain', 'delete'], 'must be retain or delete').default('retain'),
    logDays: z.literal(LOG_DAYS, `must be one of ${LOG_DAYS.join(', ')}`).default(30),
  },
  'must be an object',
);

/**
 * Host names, with a certificate of ACM in the region of the stack that covers all of them: `*.in.example.com` needs
 * `in.example.com`, too.
 */
const Domain = z.strictObject(
  {
    api: hostname,
    ingress: wildcardHostname,
    certificateArn: arnOf('acm', 'a certificate of ACM'),
    /** The names that API Gateway gives the APIs go on working. */
    keepDefaultNames: flag.default(false),
  },
  'must be an object',
);

/** Data that an earlier stack has left. The stack uses it, and neither changes nor deletes these resources. */
const Adopt = z.strictObject(
  { table: tableName, bucket: bucketName, keyArn: arnOf('kms', 'a key of KMS') },
  'must be an object',
);

/** Addresses of deliveries that do not change: of a new network, or of an existing one with subnets and their NAT. */
const Network = z.strictObject(
  {
    vpc: reference(/^(new|vpc-[0-9a-f]{8,17})$/, 'must be new or the id of a VPC'),
    subnetIds: z
      .array(reference(/^subnet-[0-9a-f]{8,17}$/, 'must be the id of a subnet'), 'must be an array')
      .min(1, 'must not be empty')
      .max(16, 'must have at most 16 subnets')
      .optional(),
    addresses: z
      .array(reference(z.regexes.ipv4, 'must be an IPv4 address'), 'must be an array')
      .min(1, 'must not be empty')
      .max(16, 'must have at most 16 addresses')
      .optional(),
  },
  'must be an object',
);

/** Access logs that rules of organisations ask for. */
const AccessLogs = z.strictObject(
  {
    /** The bucket that gets the access log of the stack's bucket. */
    bucket: bucketName.optional(),
    ingress: flag.default(false),
  },
  'must be an object',
);

/** Notifications about the bill of the whole account. */
const Budget = z.strictObject(
  { monthlyUsd: z.number('must be a number').min(1, 'must be at least 1'), email },
  'must be an object',
);

/** Failures of users in one minute that make it a bad one for the operator's alarms. */
const AlarmThresholds = z.strictObject(
  {
    failedRuns: integer(1, 1_000_000, 1),
    failedDeliveries: integer(1, 1_000_000, 1),
    failedRenewals: integer(1, 1_000_000, 1),
  },
  'must be an object',
);

/** Settings that differ between deployments (docs/stages.md), as an operator writes them. */
export const StageSettings = z.strictObject(
  {
    stackName: stackName.default('Tributary'),
    tags: tags.default({}),
    /** CloudFormation refuses to delete the stack. */
    terminationProtection: flag.default(false),
    retention: Retention.prefault({}),
    adopt: Adopt.optional(),
    domain: Domain.optional(),
    /** Live streams by a function URL that is public or takes CloudFront only, or as long polls of the API only. */
    live: z.enum(['off', 'public', 'signed'], 'must be off, public or signed').default('public'),
    network: Network.optional(),
    /** Encrypts logs, variables of functions, the bucket and the topic of alarms. */
    kmsKeyArn: arnOf('kms', 'a key of KMS').optional(),
    accessLogs: AccessLogs.prefault({}),
    /** Allows webhooks and component fetches to private addresses. */
    allowPrivateNetwork: flag.default(false),
    /** CIDR blocks that are always allowed. */
    networkAllowList: z
      .array(z.union([z.cidrv4(), z.cidrv6()], 'must be a CIDR block, such as 10.1.0.0/16'), 'must be an array')
      .default([]),
    /** ARNs of event buses and queues that webhooks may send to, and of roles that they may assume for it. */
    targets: targetPatterns.default([]),
    npmRegistry: z.url('must be a URL').default('https://registry.npmjs.org/'),
    /** Host → origin to fetch component code from instead. */
    componentHosts: z
      .record(z.string(), z.url('must be an origin, such as https://mirror.example'), 'must be an object')
      .default({}),
    /**
     * Host → `host:port` that running components connect to instead; `*` for every name except localhost. TLS still
     * checks the certificate of the original host.
     */
    runnerHosts: z
      .record(
        z.string(),
        z.string('must be host:port').regex(/^[^\s/]+:\d{1,5}$/, 'must be host:port'),
        'must be an object',
      )
      .default({}),
    /** Limits of a user. An absent limit has its default. */
    limits: z.strictObject(Limits.shape, 'must be an object').partial().prefault({}),
    logLevel: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('info'),
    /** Lambda sends traces of the service's functions to X-Ray. */
    tracing: flag.default(false),
    /** The sources that share an execution environment of the runner. */
    isolation: Isolation.default('source'),
    /** Maximum of warm child processes per runner instance. */
    warmRunners: integer(1, 100, 4),
    /** Maximum of events of one batch that share an item of the table. */
    eventsPerItem: integer(1, MAX_EVENTS_PER_ITEM, MAX_EVENTS_PER_ITEM),
    concurrency: Concurrency.prefault('small'),
    /** Requests per second and burst of each HTTP API. */
    throttle: Throttle.prefault({}),
    /** Minutes for which a tenth of the requests go to a new release. 0: all go at once. */
    canaryMinutes: z.literal(CANARY_MINUTES, `must be one of ${CANARY_MINUTES.join(', ')}`).default(0),
    /** SNS topic that alarms notify. */
    alarmTopicArn: arnOf('sns', 'an SNS topic').optional(),
    /** Address that alarms notify, through a topic of the stack. */
    alarmEmail: email.optional(),
    alarmThresholds: AlarmThresholds.prefault({}),
    /** The page of runbooks that the texts of alarms name. */
    runbookUrl: z.url('must be a URL').default(RUNBOOKS),
    budget: Budget.optional(),
  },
  'must be an object',
);

/** One user's part of the throttle; the rest is left for others. */
const USERS_PART = 0.8;

/** The settings of a deployment. The defaults of its throttle and of concurrent runs follow from its concurrency. */
export const Stage = StageSettings.transform(({ limits, throttle, ...stage }) => {
  const preset = defaultThrottle(stage.concurrency);
  const concurrentRuns = defaultConcurrentRuns(stage.concurrency);
  const rate = throttle.rate ?? preset.rate;
  const userRequestRate = Math.max(defaultUserLimits.userRequestRate, Math.floor(rate * USERS_PART));
  return {
    ...stage,
    limits: Limits.parse({ ...defaultUserLimits, concurrentRuns, userRequestRate, ...limits }),
    throttle: { rate, burst: throttle.burst ?? preset.burst },
  };
}).superRefine(checkRelations);
export type Stage = z.infer<typeof Stage>;

/** The tags of every resource: those of the stage, and the name of the stack. */
export const allTags = ({ stackName, tags }: Pick<Stage, 'stackName' | 'tags'>): Record<string, string> => ({
  'tributary:stack': stackName,
  ...tags,
});

/** The settings of each group. */
export const groups = {
  retention: Retention.shape,
  adopt: Adopt.shape,
  domain: Domain.shape,
  network: Network.shape,
  accessLogs: AccessLogs.shape,
  limits: Limits.shape,
  concurrency: Concurrency.out.shape,
  throttle: Throttle.shape,
  alarmThresholds: AlarmThresholds.shape,
  budget: Budget.shape,
} satisfies Partial<Record<keyof Stage, object>>;
