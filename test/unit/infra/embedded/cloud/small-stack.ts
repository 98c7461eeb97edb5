import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Cloud, type CloudOptions, startCloud } from '../../../../../infra/embedded/cloud.ts';

type Properties = Record<string, unknown>;
type Resources = Record<string, { Type: string; Properties?: Properties; [attribute: string]: unknown }>;

export interface SmallFunction {
  /** CommonJS text of `index.js`. */
  code: string;
  /** Properties besides those of a usual function. */
  properties?: Properties;
  statements?: Properties[];
}

export interface SmallStack {
  functions?: Record<string, SmallFunction>;
  /** Functions by route key, for the API `Api`. */
  routes?: Record<string, string>;
  api?: Properties | undefined;
  stage?: Properties | undefined;
  resources?: Resources;
  /** Program of the second thread. */
  thread?: string | undefined;
}

const getAtt = (id: string, name: string) => ({ 'Fn::GetAtt': [id, name] });

/** A temporary directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'small-stack-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** A small template in the form of the CDK's, and its assets. */
export function smallAssembly({ functions = {}, routes = {}, api, stage, resources = {} }: SmallStack) {
  const assets = new Map<string, string>();
  const all: Resources = { ...resources };
  for (const [id, { code, properties, statements = [] }] of Object.entries(functions)) {
    const folder = join(temporaryDirectory(), id);
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.js'), code);
    const key = `${createHash('sha256').update(id).update(code).digest('hex')}.zip`;
    assets.set(key, folder);
    all[`${id}Role`] = lambdaRole(statements);
    all[id] = {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Bucket: 'assets', S3Key: key },
        Handler: 'index.handler',
        Runtime: 'nodejs24.x',
        // The default of 3 s may end before a thread has started on a busy machine.
        Timeout: 60,
        Role: getAtt(`${id}Role`, 'Arn'),
        ...properties,
      },
    };
  }
  if (Object.keys(routes).length > 0) Object.assign(all, apiResources('Api', { routes, api, stage }));
  return { template: { Resources: all }, assets };
}

function lambdaRole(statements: Properties[]) {
  const logs = { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: '*' };
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
      },
      Policies: [{ PolicyName: 'uses', PolicyDocument: { Version: '2012-10-17', Statement: [logs, ...statements] } }],
    },
  };
}

export function apiResources(
  id: string,
  { routes, api, stage }: Pick<SmallStack, 'routes' | 'api' | 'stage'>,
): Resources {
  const all: Resources = {
    [id]: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: id.toLowerCase(), ProtocolType: 'HTTP', ...api },
    },
    [`${id}Stage`]: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: id }, StageName: '$default', AutoDeploy: true, ...stage },
    },
  };
  for (const [n, [key, to]] of Object.entries(routes ?? {}).entries()) {
    const ApiId = { Ref: id };
    all[`${id}Integration${n}`] = {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId,
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: getAtt(to, 'Arn'),
        PayloadFormatVersion: '2.0',
      },
    };
    all[`${id}Route${n}`] = {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ApiId,
        RouteKey: key,
        AuthorizationType: 'NONE',
        Target: { 'Fn::Join': ['', ['integrations/', { Ref: `${id}Integration${n}` }]] },
      },
    };
    all[`${id}Permission${n}`] = {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: getAtt(to, 'Arn'),
        Principal: 'apigateway.amazonaws.com',
        SourceArn: {
          'Fn::Sub': `arn:\${AWS::Partition}:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${${id}}/*`,
        },
      },
    };
  }
  return all;
}

/** Starts a small stack that stops after the test. */
export async function startSmall(stack: SmallStack, options: Partial<CloudOptions> = {}): Promise<Cloud> {
  const cloud = await startCloud({
    assembly: { ...smallAssembly(stack), ...(stack.thread === undefined ? {} : { thread: stack.thread }) },
    dataDir: temporaryDirectory(),
    ...options,
  });
  onTestFinished(() => cloud.stop({ graceMs: 1000 }));
  return cloud;
}
