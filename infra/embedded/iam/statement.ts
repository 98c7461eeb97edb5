import * as z from 'zod';
import { TemplateError } from '../template/template-error.ts';
import { policyConditionOf, type PolicyCondition } from './policy-condition.ts';
import { arnPattern, wildcard } from '../../../shared/domain/target/arn-pattern.ts';

/** One statement of a policy, as predicates. */
export interface Statement {
  /** Location in the template: `IngressRoleDefaultPolicy#2`, counted from 0. */
  readonly id: string;
  readonly effect: 'Allow' | 'Deny';
  /** Undefined in a policy of a role, because the role is the principal. */
  readonly principal: ((principal: Principal) => boolean) | undefined;
  readonly action: (action: string) => boolean;
  readonly resource: (arn: string) => boolean;
  readonly condition: PolicyCondition;
  /** Keys that the condition reads, in lower case. */
  readonly conditionKeys: readonly string[];
}

export interface Principal {
  readonly kind: 'role' | 'service' | 'anyone';
  /** ARN of a role, host name of a service, or `*`. */
  readonly name: string;
}

const list = z.union([z.string(), z.array(z.string())]).transform((value) => (Array.isArray(value) ? value : [value]));
const value = z.union([z.string(), z.boolean(), z.number()]).transform(String);
const values = z.union([value.transform((one) => [one]), z.array(value)]);

const Document = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]),
});

const Declared = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: z.union([z.literal('*'), z.strictObject({ AWS: list.optional(), Service: list.optional() })]).optional(),
  Action: list,
  Resource: list.optional(),
  Condition: z.record(z.string(), z.record(z.string(), values)).default({}),
});
type Declared = z.output<typeof Declared>;

type PolicyKind = 'identity' | 'resource' | 'trust';

/** Reads a policy document. Throws for unknown content, with the name of `location`. */
export function statementsOf(document: unknown, location: string, kind: PolicyKind): Statement[] {
  const { Statement: declared } = parsed(Document, document, location);
  return declared.map((each, index) =>
    statement(parsed(Declared, each, `${location}, statement ${index},`), `${location}#${index}`, kind),
  );
}

function statement(declared: Declared, id: string, kind: PolicyKind): Statement {
  if ((declared.Principal === undefined) !== (kind === 'identity')) {
    throw new TemplateError(`${id} ${kind === 'identity' ? 'names' : 'lacks'} a principal.`);
  }
  if ((declared.Resource === undefined) !== (kind === 'trust')) {
    throw new TemplateError(`${id} ${kind === 'trust' ? 'names' : 'lacks'} a resource.`);
  }
  const spelt = [
    ...declared.Action,
    ...(declared.Resource ?? []),
    ...Object.values(declared.Condition).flatMap((keys) => Object.values(keys).flat()),
  ];
  const variable = spelt.find((text) => text.includes('${'));
  if (variable !== undefined)
    throw new TemplateError(`${id} uses a policy variable (${variable}), which is not interpreted.`);
  return {
    id,
    effect: declared.Effect,
    principal: declared.Principal === undefined ? undefined : principalOf(declared.Principal),
    action: any(declared.Action.map((pattern) => wildcard(pattern, 'i'))),
    resource: any((declared.Resource ?? ['*']).map((pattern) => arnPattern(pattern))),
    condition: conditionIn(declared, id),
    conditionKeys: Object.values(declared.Condition).flatMap((keys) =>
      Object.keys(keys).map((key) => key.toLowerCase()),
    ),
  };
}

function conditionIn({ Condition: conditions }: Declared, id: string): PolicyCondition {
  try {
    return policyConditionOf(conditions);
  } catch (cause) {
    throw new TemplateError(`In ${id} ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}

function principalOf(declared: NonNullable<Declared['Principal']>): (principal: Principal) => boolean {
  if (declared === '*') return () => true;
  const roles = declared.AWS ?? [];
  const services = declared.Service ?? [];
  return ({ kind, name }) =>
    kind === 'service'
      ? services.includes(name)
      : roles.some((role) => role === '*' || role === name || isAccountOf(role, name));
}

/** `arn:aws:iam::123:root` matches every role of the account that its own policy allows. */
const isAccountOf = (principal: string, role: string) =>
  principal.endsWith(':root') && role.startsWith(principal.slice(0, -'root'.length));

const any = (tests: readonly ((text: string) => boolean)[]) => (text: string) => tests.some((test) => test(text));

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, location: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const what = [issue?.path.join('.') ?? '', issue?.message ?? ''].filter(Boolean).join(' ');
  throw new TemplateError(`The policy in ${location} is not interpreted: ${what}.`);
}
