import { AwsError, type RequiredPermission, type ServiceId } from '../call.ts';
import { account } from '../template/resource-type.ts';
import { decide, type Decision, mayAssume, type Request } from './decide.ts';
import type { Policies } from './policies.ts';

/** The account itself, as which an operator on this machine acts. It may do everything. */
export const OPERATOR = `arn:aws:iam::${account}:root`;

/** Gets each different allowed request once, with every statement that allowed it. */
export type Recorder = (request: Request, statements: readonly string[]) => void;

export interface Authorizer {
  /** Throws AWS's error unless the role has all required permissions of the call. */
  check(role: string, service: ServiceId, permissions: readonly RequiredPermission[]): void;
  allows(role: string, permission: RequiredPermission): boolean;
  /** Whether a role's own policies allow an action on any resource. */
  mayEver(role: string, action: string): boolean;
  /** Whether a service may do something with a resource on behalf of the resource `sourceArn`. */
  allowsService(service: string, permission: RequiredPermission, sourceArn: string): boolean;
  /** Whether every caller may do something with a resource. */
  allowsAnyone(permission: RequiredPermission): boolean;
  /** Whether a service may take a role on behalf of the resource `sourceArn`. */
  mayAssume(role: string, service: string, sourceArn: string): boolean;
}

interface AuthorizerOptions {
  policies: Policies;
  /** Names the session in AWS's messages: the function that runs under the role. */
  sessionOf?: (role: string) => string | undefined;
  onAllowed?: Recorder | undefined;
}

/** A limit, because every name of an object or a schedule needs a decision of its own. */
const MAX_REMEMBERED = 20_000;
/** Stands for a decision that cannot be remembered. */
const DEPENDS = Symbol('depends on the request');
/** Keys with one value for every request of a role. */
const OF_EVERY_REQUEST: ReadonlySet<string> = new Set([
  'aws:securetransport',
  'aws:principalarn',
  'aws:principalaccount',
]);

export function authorizer({ policies, sessionOf = () => undefined, onAllowed }: AuthorizerOptions): Authorizer {
  /** By role, action and resource. */
  const remembered = new Map<string, Map<string, Map<string, Decision | typeof DEPENDS>>>();
  let count = 0;

  function decision(role: string, permission: RequiredPermission): Decision {
    const byResource = inner(inner(remembered, role), permission.action);
    const known = byResource.get(permission.resource);
    if (known && known !== DEPENDS) return known;
    const fresh = decideNow(role, permission);
    if (known) return fresh;
    if (count++ > MAX_REMEMBERED) {
      remembered.clear();
      count = 0;
      return fresh;
    }
    byResource.set(permission.resource, dependsOnContext(policies, role, permission) ? DEPENDS : fresh);
    return fresh;
  }

  function decideNow(role: string, { action, resource, context = {} }: RequiredPermission): Decision {
    return decideAndRecord({
      principal: { kind: 'role', name: role },
      action,
      resource,
      context: contextOf(role, context),
    });
  }

  function decideAndRecord(request: Request): Decision {
    const found = decide(policies, request);
    if (found.allowed) onAllowed?.(request, found.by);
    return found;
  }

  return {
    check(role, service, permissions) {
      if (role === OPERATOR) return;
      for (const permission of permissions) {
        const found = decision(role, permission);
        if (!found.allowed)
          throw refusal({ role, service, permission, because: found.because, session: sessionOf(role) });
      }
    },
    allows: (role, permission) => role === OPERATOR || decision(role, permission).allowed,
    mayEver: (role, action) =>
      (policies.identity.get(role) ?? []).some((statement) => statement.effect === 'Allow' && statement.action(action)),
    allowsService(service, { action, resource, context = {} }, sourceArn) {
      const principal = { kind: 'service', name: service } as const;
      return decideAndRecord({
        principal,
        action,
        resource,
        context: contextOf(sourceArn, {
          ...context,
          'aws:SourceArn': sourceArn,
          'aws:SourceAccount': account,
        }),
      }).allowed;
    },
    allowsAnyone: ({ action, resource, context = {} }) =>
      decideAndRecord({
        principal: { kind: 'anyone', name: '*' },
        action,
        resource,
        context: contextOf('*', context),
      }).allowed,
    mayAssume: (role, service, sourceArn) => {
      const source = { 'aws:SourceArn': sourceArn, 'aws:SourceAccount': account };
      return mayAssume(policies, role, service, contextOf(role, source));
    },
  };
}

/** Whether a statement that may apply reads a key that differs between requests. */
const dependsOnContext = (policies: Policies, role: string, { action, resource }: RequiredPermission): boolean =>
  [...(policies.identity.get(role) ?? []), ...policies.resource].some(
    (statement) =>
      statement.conditionKeys.some((key) => !OF_EVERY_REQUEST.has(key)) &&
      statement.action(action) &&
      statement.resource(resource) &&
      statement.principal?.({ kind: 'role', name: role }) !== false,
  );

function contextOf(principalArn: string, context: Readonly<Record<string, string>>): Record<string, string> {
  const all = {
    'aws:SecureTransport': 'true',
    'aws:PrincipalArn': principalArn,
    'aws:PrincipalAccount': account,
    ...context,
  };
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key.toLowerCase(), value]));
}

interface Refused {
  role: string;
  service: ServiceId;
  permission: RequiredPermission;
  because: string;
  session: string | undefined;
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html#access-denied-error-examples */
function refusal({ role, service, permission, because, session }: Refused): AwsError {
  const name = role.slice(role.lastIndexOf('/') + 1);
  const user = `arn:aws:sts::${account}:assumed-role/${name}/${session ?? name}`;
  const message = `User: ${user} is not authorized to perform: ${permission.action} on resource: ${permission.resource} ${because}`;
  const code = service === 'SQS' || service === 'S3' ? 'AccessDenied' : 'AccessDeniedException';
  return new AwsError(code, message, { statusCode: service === 'DynamoDB' ? 400 : 403 });
}

function inner<Key, Value>(map: Map<string, Map<Key, Value>>, key: string): Map<Key, Value> {
  let found = map.get(key);
  if (!found) map.set(key, (found = new Map<Key, Value>()));
  return found;
}
