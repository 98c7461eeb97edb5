import type { Context } from './policy-condition.ts';
import type { Policies } from './policies.ts';
import type { Principal, Statement } from './statement.ts';

export interface Request {
  readonly principal: Principal;
  readonly action: string;
  readonly resource: string;
  readonly context: Context;
}

export type Decision =
  | {
      readonly allowed: true;
      /** Ids of the statements that each allow the request. */
      readonly by: readonly string[];
    }
  | {
      readonly allowed: false;
      /** The end of AWS's sentence. */
      readonly because: string;
    };

/**
 * Within one account, a matching Deny in any policy refuses. Otherwise an Allow in a policy of the role or of the
 * resource suffices. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function decide(policies: Policies, request: Request): Decision {
  const own = policies.identity.get(request.principal.name) ?? [];
  const ofRole = own.filter((statement) => matches(statement, request));
  const ofResource = policies.resource.filter((statement) => matches(statement, request));
  const { action } = request;
  if (ofRole.some(isDeny)) return { allowed: false, because: `with an explicit deny in an identity-based policy` };
  if (ofResource.some(isDeny)) return { allowed: false, because: `with an explicit deny in a resource-based policy` };
  const by = [...ofRole, ...ofResource].map(({ id }) => id);
  if (by.length > 0) return { allowed: true, by };
  const kind = request.principal.kind === 'role' ? 'identity' : 'resource';
  return { allowed: false, because: `because no ${kind}-based policy allows the ${action} action` };
}

/** Whether the trust policy of a role lets a service assume it. */
export function mayAssume(policies: Policies, role: string, service: string, context: Context): boolean {
  const request: Request = {
    principal: { kind: 'service', name: service },
    action: 'sts:AssumeRole',
    resource: role,
    context,
  };
  const found = (policies.trust.get(role) ?? []).filter((statement) => matches(statement, request));
  return found.length > 0 && !found.some(isDeny);
}

const isDeny = ({ effect }: Statement) => effect === 'Deny';

const matches = (statement: Statement, { principal, action, resource, context }: Request) =>
  statement.action(action) &&
  statement.resource(resource) &&
  (statement.principal === undefined || statement.principal(principal)) &&
  statement.condition(context);
