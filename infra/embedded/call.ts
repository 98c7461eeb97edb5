/** The input of an operation: plain objects, sets as `Set`, binary as `Uint8Array`. */
export type Input = Readonly<Record<string, unknown>>;

export type Output = Record<string, unknown>;

/**
 * One call of an AWS API. It is short-circuited from an SDK client, made through a presigned address, or made by a
 * service on behalf of a resource (an event-source mapping, a schedule).
 */
export interface Call {
  /** ARN of the calling role. Every call is checked against that role's own policies. */
  readonly role: string;
  /** As the SDK spells it in `config.serviceId`. */
  readonly service: ServiceId;
  /** As the API spells it: `PutItem`, `SendMessageBatch`. */
  readonly operation: string;
  readonly input: Input;
}

export type ServiceId = 'DynamoDB' | 'SQS' | 'S3' | 'Scheduler' | 'Lambda' | 'KMS' | 'EventBridge';

/** A permission that a role needs for a call. */
export interface RequiredPermission {
  /** `dynamodb:PutItem` */
  readonly action: string;
  /** ARN of the one resource that the call touches. */
  readonly resource: string;
  /** Condition keys of this request, e.g. `iam:PassedToService`. */
  readonly context?: Readonly<Record<string, string>>;
}

/** One embedded AWS service: a table of operations, each with its handler and its required permissions. */
export interface EmbeddedService {
  readonly id: ServiceId;
  /** The permissions that the caller's role needs. Throws {@link AwsError} for input that names no resource. */
  requiredPermissions(operation: string, input: Input): readonly RequiredPermission[];
  /**
   * Runs an operation. Acknowledged means written. Throws or rejects with {@link AwsError}, AWS's own names and
   * messages.
   */
  call(operation: string, input: Input, role: string): Promise<Output>;
}

/** Sends a call through IAM to its service. */
export type Dispatch = (call: Call) => Promise<Output>;

/** An error as AWS's APIs answer it. The SDK plugin turns it into the error that SDK clients throw. */
export class AwsError extends Error {
  readonly statusCode: number;
  /** The SDK's `$fault`: `client` is a mistake of the caller. */
  readonly fault: 'client' | 'server';
  /** Further members of the error, e.g. `CancellationReasons`, `Item`. */
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
