/** A quota of Service Quotas, which has a value for each account and region. */
export interface AccountQuota {
  /** Service code of Service Quotas. */
  service: 'apigateway' | 'dynamodb' | 'sqs' | 'scheduler';
  /** Name of the service in the console. */
  title: string;
  /** Name of the quota in the documentation. */
  quota: string;
  /** By which it is found: its quota code, or words of its name where no code is published. */
  key: string | QuotaWords;
  unit: string;
  /** Continues "It limits". */
  limits: string;
}

/** Parts of a name in lower case, without spaces and hyphens, so that another wording is found too. */
export interface QuotaWords {
  contains: readonly string[];
  lacks?: readonly string[];
}

export const accountQuotas: readonly AccountQuota[] = [
  {
    service: 'apigateway',
    title: 'Amazon API Gateway',
    quota: 'Throttle rate',
    key: 'L-8A5B8E43',
    unit: 'requests a second for all APIs of the account',
    limits: 'throttle.rate, which each of the two HTTP APIs may reach',
  },
  {
    service: 'dynamodb',
    title: 'Amazon DynamoDB',
    quota: 'Table-level write throughput limit',
    key: 'L-AB614373',
    unit: 'write units a second for the table',
    limits: 'throttle.rate: an event alone uses about 5 units, one of a full batch about 1',
  },
  {
    service: 'dynamodb',
    title: 'Amazon DynamoDB',
    quota: 'Table-level read throughput limit',
    key: 'L-CF0CBE56',
    unit: 'read units a second for the table',
    limits: 'throttle.rate: an event alone uses about 4 units, a request to the API one or more',
  },
  {
    service: 'sqs',
    title: 'Amazon Simple Queue Service',
    quota: 'Throughput of high-throughput FIFO queues',
    key: { contains: ['fifo', 'highthroughput'], lacks: ['flight', 'nonhigh'] },
    unit: 'requests a second for each action',
    limits: 'throttle.rate: each request to an endpoint sends one message to the FIFO queue',
  },
  {
    service: 'scheduler',
    title: 'EventBridge Scheduler',
    quota: 'CreateSchedule request rate',
    key: { contains: ['createschedule'], lacks: ['group'] },
    unit: 'requests a second',
    limits: 'no setting of a stage, but how fast sources with timers are deployed',
  },
  {
    service: 'scheduler',
    title: 'EventBridge Scheduler',
    quota: 'Invocations throttle limit',
    key: { contains: ['invocations'] },
    unit: 'invocations a second',
    limits: 'no setting of a stage, but how many timers start in one second; the others start late',
  },
  {
    service: 'scheduler',
    title: 'EventBridge Scheduler',
    quota: 'Number of schedules',
    key: { contains: ['numberofschedules'] },
    unit: 'schedules',
    limits: 'limits.sources of all users together: each timer has a schedule, each waiting retry another',
  },
];
