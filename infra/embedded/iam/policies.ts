import * as z from 'zod';
import type { Interpretation, Resource } from '../template/interpret.ts';
import { arnPattern } from '../../../shared/domain/target/arn-pattern.ts';
import { statementsOf, type Statement } from './statement.ts';

/** All policies of a template. */
export interface Policies {
  /** Statements of the roles, by ARN of the role. */
  readonly identity: ReadonlyMap<string, readonly Statement[]>;
  /** Statements of the trust policies, by ARN of the role. */
  readonly trust: ReadonlyMap<string, readonly Statement[]>;
  /** Statements attached to queues, buckets and functions. */
  readonly resource: readonly Statement[];
}

const Role = z.object({
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z.array(z.object({ PolicyName: z.string(), PolicyDocument: z.unknown() })).default([]),
});
const Permission = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  SourceAccount: z.string().optional(),
  FunctionUrlAuthType: z.string().optional(),
  InvokedViaFunctionUrl: z.boolean().optional(),
});

export function policiesOf(stack: Interpretation): Policies {
  const identity = new Map<string, Statement[]>();
  const trust = new Map<string, Statement[]>();
  for (const role of stack.ofType('AWS::IAM::Role')) {
    const arn = role.attributes['Arn'] ?? '';
    const { AssumeRolePolicyDocument, Policies } = Role.parse(role.properties);
    trust.set(arn, statementsOf(AssumeRolePolicyDocument, role.logicalId, 'trust'));
    const inline = Policies.flatMap((each) =>
      statementsOf(each.PolicyDocument, `${role.logicalId}.${each.PolicyName}`, 'identity'),
    );
    identity.set(arn, inline);
  }
  return { identity, trust, resource: resourcePolicies(stack) };
}

function resourcePolicies(stack: Interpretation): Statement[] {
  const documents = [...stack.ofType('AWS::SQS::QueuePolicy'), ...stack.ofType('AWS::S3::BucketPolicy')];
  return [
    ...documents.flatMap(({ properties, logicalId }) =>
      statementsOf(properties['PolicyDocument'], logicalId, 'resource'),
    ),
    ...stack.ofType('AWS::Lambda::Permission').map((permission) => permissionStatement(permission)),
  ];
}

/** An `AWS::Lambda::Permission` is a statement of the function's resource policy. */
function permissionStatement({ properties, logicalId }: Resource): Statement {
  const { Action, FunctionName, Principal, SourceArn, SourceAccount, ...url } = Permission.parse(properties);
  const isFunction = (arn: string) => arn === FunctionName || arn.endsWith(`:function:${FunctionName}`);
  const isSource = SourceArn === undefined ? () => true : arnPattern(SourceArn);
  return {
    id: `${logicalId}#0`,
    effect: 'Allow',
    principal: ({ name }) => Principal === '*' || name === Principal,
    action: (action) => action === Action,
    resource: isFunction,
    condition: (context) =>
      isSource(context['aws:sourcearn'] ?? '') &&
      (SourceAccount === undefined || SourceAccount === context['aws:sourceaccount']) &&
      (url.FunctionUrlAuthType === undefined || url.FunctionUrlAuthType === context['lambda:functionurlauthtype']) &&
      (url.InvokedViaFunctionUrl !== true || context['lambda:invokedviafunctionurl'] === 'true'),
    conditionKeys: ['aws:sourcearn', 'aws:sourceaccount', 'lambda:functionurlauthtype', 'lambda:invokedviafunctionurl'],
  };
}
