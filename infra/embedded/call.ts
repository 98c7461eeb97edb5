/**
 * One call of an AWS API, however it arrived: short-circuited from an SDK client, parsed from the wire, or made by a
 * service on somebody's behalf (an event-source mapping, a schedule, a presigned address).
 */
export interface Call {
  /** ARN of the role that calls. Every call is checked against that role's own policies. */
  readonly role: string;
  /** As the SDK spells it in `config.serviceId`. */
  readonly service: ServiceId;
  /** As the API spells it: `PutItem`, `SendMessageBatch`. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type ServiceId = 'DynamoDB' | 'SQS' | 'S3' | 'Scheduler' | 'Lambda' | 'KMS' | 'IAM';

export type Output = Record<string, unknown>;

/** What a role must be allowed before a call is carried out. */
export interface Demand {
  /** `dynamodb:PutItem` */
  readonly action: string;
  /** ARN of the one resource that is touched. */
  readonly resource: string;
  /** Condition keys of this request, e.g. `iam:PassedToService`. */
  readonly context?: Readonly<Record<string, string>>;
}

/** One embedded AWS service. Plain objects in, plain objects out; sets as `Set`, binary as `Uint8Array`. */
export interface EmbeddedService {
  readonly id: ServiceId;
  /** Says what the caller must be allowed; throws {@link AwsError} for input that names no resource. */
  demands(operation: string, input: Readonly<Record<string, unknown>>): readonly Demand[];
  /** Carries the call out. Acknowledged means written. Throws {@link AwsError} with AWS's own names and messages. */
  call(operation: string, input: Readonly<Record<string, unknown>>, role: string): Promise<Output>;
}

/** Sends a call through IAM to its service. */
export type Dispatch = (call: Call) => Promise<Output>;

/** An error as AWS's APIs answer it; the SDK edge turns it into what its clients throw. */
export class AwsError extends Error {
  readonly statusCode: number;
  /** `client`: the caller's fault, as `$fault` says it. */
  readonly fault: 'client' | 'server';
  /** More members of the error, e.g. `CancellationReasons`, `Item`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    name: string,
    message: string,
    { statusCode = 400, members = {} }: { statusCode?: number; members?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.name = name;
    this.statusCode = statusCode;
    this.fault = statusCode >= 500 ? 'server' : 'client';
    this.members = members;
  }
}
