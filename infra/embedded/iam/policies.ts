import * as z from 'zod';
import type { Interpretation, Resource } from '../template/interpret.ts';
import { TemplateError } from '../template/template-error.ts';
import { arnPattern } from './pattern.ts';
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
  ManagedPolicyArns: z.array(z.string()).default([]),
  Policies: z.array(z.object({ PolicyName: z.string(), PolicyDocument: z.unknown() })).default([]),
});
const Policy = z.object({ PolicyDocument: z.unknown(), Roles: z.array(z.string()).default([]) });
const Permission = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  SourceAccount: z.string().optional(),
});

/** Managed policies that a role may name. This one only grants the logging API, which nothing calls here. */
const MANAGED = new Set(['arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole']);

export function policiesOf(stack: Interpretation): Policies {
  const identity = new Map<string, Statement[]>();
  const trust = new Map<string, Statement[]>();
  const roleArns = new Map<string, string>();
  for (const role of stack.ofType('AWS::IAM::Role')) {
    const arn = role.attributes['Arn'] ?? '';
    const { AssumeRolePolicyDocument, ManagedPolicyArns, Policies } = Role.parse(role.properties);
    const unknown = ManagedPolicyArns.find((managed) => !MANAGED.has(managed));
    if (unknown)
      throw new TemplateError(
        `${role.logicalId} (${role.type}) has the managed policy ${unknown}, which is not interpreted.`,
      );
    roleArns.set(role.ref, arn);
    trust.set(arn, statementsOf(AssumeRolePolicyDocument, role.logicalId, 'trust'));
    const inline = Policies.flatMap((each) =>
      statementsOf(each.PolicyDocument, `${role.logicalId}.${each.PolicyName}`, 'identity'),
    );
    identity.set(arn, inline);
  }
  for (const policy of stack.ofType('AWS::IAM::Policy')) {
    const { PolicyDocument, Roles } = Policy.parse(policy.properties);
    const statements = statementsOf(PolicyDocument, policy.logicalId, 'identity');
    for (const name of Roles) {
      const own = identity.get(roleArns.get(name) ?? '');
      if (!own)
        throw new TemplateError(
          `${policy.logicalId} (${policy.type}) is for the role ${name}, which the template does not have.`,
        );
      own.push(...statements);
    }
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
  const { Action, FunctionName, Principal, SourceArn, SourceAccount } = Permission.parse(properties);
  const isFunction = (arn: string) => arn === FunctionName || arn.endsWith(`:function:${FunctionName}`);
  const isSource = SourceArn === undefined ? () => true : arnPattern(SourceArn);
  return {
    id: `${logicalId}#0`,
    effect: 'Allow',
    principal: ({ name }) => name === Principal,
    action: (action) => action === Action,
    resource: isFunction,
    condition: (context) =>
      isSource(context['aws:sourcearn'] ?? '') &&
      (SourceAccount === undefined || context['aws:sourceaccount'] === SourceAccount),
  };
}
