import { Duration, RemovalPolicy, Size } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnFunction,
  Code,
  Function as LambdaFunction,
  type FunctionProps,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ARCHITECTURE } from '../architecture.ts';
import type { Variable } from '../../shared/lambda/environment.ts';

export interface ServiceFunctionProps extends Partial<
  Pick<FunctionProps, 'handler' | 'tenancyConfig' | 'recursiveLoop' | 'reservedConcurrentExecutions'>
> {
  /** Lambda sends traces to X-Ray. */
  isTraced?: boolean;
  /** Folder of the bundle. */
  asset: string;
  timeout: number;
  memoryMb: number;
  logDays: RetentionDays;
  environment?: Partial<Record<Variable, string>>;
  /** Size of /tmp in MB; default 512. */
  temporaryMb?: number;
}

/** Operator → condition key → value, or values of which one must match. */
type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/**
 * A function with its own least-privilege role. Grant methods set the permission together with its environment
 * variable.
 */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;
  private readonly policy = new PolicyDocument();

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { asset, timeout, memoryMb, logDays, environment = {}, temporaryMb, isTraced, ...rest } = props;
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { uses: this.policy },
    });
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [this.logGroup.logGroupArn]);
    // X-Ray has no resources for these actions.
    if (isTraced === true) this.allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']);
    this.lambda = new LambdaFunction(this, 'Function', {
      code: Code.fromAsset(asset),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.custom(ARCHITECTURE),
      timeout: Duration.seconds(timeout),
      memorySize: memoryMb,
      role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // The lines START, END and REPORT of each invocation cost more than those of the service. Lambda still writes
      // failures.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(temporaryMb === undefined ? {} : { ephemeralStorageSize: Size.mebibytes(temporaryMb) }),
      ...rest,
    });
    const { defaultChild } = this.lambda.node;
    if (isTraced === true && defaultChild instanceof CfnFunction) defaultChild.tracingConfig = { mode: 'Active' };
    for (const [name, value] of Object.entries(environment)) this.lambda.addEnvironment(name, value);
  }

  /** Adds one statement to the role's policy. */
  allow(actions: readonly string[], resources: readonly string[], conditions: Conditions = {}): this {
    this.policy.addStatements(
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: [...actions],
        resources: [...resources],
        conditions,
      }),
    );
    return this;
  }

  /** Sets an environment variable. Call it next to the permission for the named resource. */
  env(name: Variable, value: string): this {
    this.lambda.addEnvironment(name, value);
    return this;
  }
}
