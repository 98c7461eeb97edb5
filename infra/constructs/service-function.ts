import { Duration, RemovalPolicy, Size } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, type FunctionProps, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Variable } from '../../shared/lambda/environment.ts';

export interface ServiceFunctionProps extends Pick<FunctionProps, 'tenancyConfig' | 'recursiveLoop'> {
  /** Folder of the bundle. */
  asset: string;
  timeout: number;
  memoryMb: number;
  environment?: Partial<Record<Variable, string>>;
  /** Size of /tmp in MB; default 512. */
  temporaryMb?: number;
  /** For functions with untrusted code: the role allows nothing, not even writing logs. */
  withoutPermissions?: boolean;
}

/** Operator → condition key → value, or values of which one must match. */
type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A function with its own least-privilege role. Grant methods set the permission together with its environment variable. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  private readonly policy = new PolicyDocument();

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const {
      asset,
      timeout,
      memoryMb,
      environment = {},
      temporaryMb,
      withoutPermissions = false,
      ...rest
    } = props;
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      ...(withoutPermissions ? {} : { inlinePolicies: { uses: this.policy } }),
    });
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    if (!withoutPermissions)
      this.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);
    this.lambda = new LambdaFunction(this, 'Function', {
      code: Code.fromAsset(asset),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(timeout),
      memorySize: memoryMb,
      role,
      logGroup,
      ...(temporaryMb === undefined ? {} : { ephemeralStorageSize: Size.mebibytes(temporaryMb) }),
      ...rest,
    });
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
