/** Prices of AWS in `us-east-1`, in US dollars, without free tiers. */
export const AS_OF = 'November 2026';

const LAMBDA = 'https://aws.amazon.com/lambda/pricing/';
const DYNAMODB = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const SQS = 'https://aws.amazon.com/sqs/pricing/';
const CLOUDWATCH = 'https://aws.amazon.com/cloudwatch/pricing/';
const S3 = 'https://aws.amazon.com/s3/pricing/';
const KMS = 'https://aws.amazon.com/kms/pricing/';

/** `per` units cost `usd`. */
interface Price {
  usd: number;
  per: number;
  what: string;
  page: string;
}

const million = (usd: number, what: string, page: string): Price => ({ usd, per: 1e6, what, page });
const each = (usd: number, what: string, page: string): Price => ({ usd, per: 1, what, page });

export const prices = {
  gbSecond: million(13.3334, '1 M GB-seconds of Lambda, arm64', LAMBDA),
  invocation: million(0.2, '1 M invocations of Lambda', LAMBDA),
  /** The page has an example for x86 only. arm64 is cheaper, like its GB-seconds. */
  environmentGb: million(167, '1 M GB of memory of new environments of isolated tenants (x86)', LAMBDA),
  temporaryGbSecond: million(0.0309, '1 M GB-seconds of `/tmp` above 512 MB', LAMBDA),
  writeUnit: million(0.625, '1 M write units of DynamoDB', DYNAMODB),
  readUnit: million(0.125, '1 M read units of DynamoDB', DYNAMODB),
  standardRequest: million(0.4, '1 M requests to standard queues', SQS),
  fifoRequest: million(0.5, '1 M requests to FIFO queues', SQS),
  objectPut: million(5, '1 M requests to S3 that store an object', S3),
  objectGet: million(0.4, '1 M requests to S3 that read an object', S3),
  httpRequest: million(1, '1 M requests to an HTTP API', 'https://aws.amazon.com/api-gateway/pricing/'),
  scheduledTick: million(1, '1 M invocations of EventBridge Scheduler', 'https://aws.amazon.com/eventbridge/pricing/'),
  logGb: each(0.5, '1 GB of logs', CLOUDWATCH),
  alarmMonth: each(0.1, '1 metric of an alarm for a month', CLOUDWATCH),
  metricMonth: each(0.3, '1 metric of the stage for a month with values', CLOUDWATCH),
  dashboardMonth: each(3, '1 dashboard for a month, after the first three of an account', CLOUDWATCH),
  keyMonth: each(1, '1 key of KMS for a month', KMS),
  keyRequest: million(3, '1 M requests to KMS', KMS),
  transferGb: each(0.09, '1 GB of data to the internet', 'https://aws.amazon.com/ec2/pricing/on-demand/'),
} as const satisfies Record<string, Price>;

/** Units that something uses, by price. */
export type Units = Readonly<Partial<Record<keyof typeof prices, number>>>;

const names = Object.keys(prices) as (keyof typeof prices)[];

export const dollars = (units: Units): number =>
  names.reduce((sum, name) => sum + ((units[name] ?? 0) * prices[name].usd) / prices[name].per, 0);

export const times = (factor: number, units: Units): Units =>
  Object.fromEntries(names.map((name) => [name, factor * (units[name] ?? 0)]));

export const sum = (...all: readonly Units[]): Units =>
  Object.fromEntries(names.map((name) => [name, all.reduce((total, units) => total + (units[name] ?? 0), 0)]));

/** The part of the units that a service bills. */
const SERVICES = {
  Lambda: ['gbSecond', 'invocation', 'environmentGb', 'temporaryGbSecond'],
  DynamoDB: ['writeUnit', 'readUnit'],
  SQS: ['standardRequest', 'fifoRequest'],
  S3: ['objectPut', 'objectGet'],
  'API Gateway': ['httpRequest'],
  'EventBridge Scheduler': ['scheduledTick'],
  CloudWatch: ['logGb', 'alarmMonth', 'metricMonth', 'dashboardMonth'],
  KMS: ['keyMonth', 'keyRequest'],
  'data transfer': ['transferGb'],
} as const satisfies Record<string, readonly (keyof typeof prices)[]>;

export type Service = keyof typeof SERVICES;
export const services = Object.keys(SERVICES) as Service[];

export const dollarsOf = (service: Service, units: Units): number =>
  dollars(Object.fromEntries(SERVICES[service].map((name) => [name, units[name] ?? 0])));
