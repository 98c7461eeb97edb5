import { account, region, stackName, type Identity, type ResourceType } from './resource-type.ts';
import type { Origins } from './api-names.ts';
import { TemplateError } from './template-error.ts';

interface ResolverOptions {
  declared: Readonly<Record<string, { readonly Properties: Readonly<Record<string, unknown>> }>>;
  types: ReadonlyMap<string, ResourceType>;
  origins: Origins;
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackName': stackName,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/0`,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The value of `AWS::NoValue`: it removes the property or element. */
const NO_VALUE = Symbol('AWS::NoValue');

/** Resolves the intrinsics `Ref`, `Fn::GetAtt`, `Fn::Join` and `Fn::Sub`. Others are not supported. */
export function resolver({ declared, types, origins }: ResolverOptions) {
  const identities = new Map<string, Identity>();
  const inProgress = new Set<string>();

  /** Names may contain names of other resources, so they are resolved on demand. */
  function identity(logicalId: string): Identity {
    const known = identities.get(logicalId);
    if (known) return known;
    if (inProgress.has(logicalId)) throw new TemplateError(`The name of ${logicalId} depends on itself.`);
    inProgress.add(logicalId);
    const type = types.get(logicalId);
    if (!type) throw new TemplateError(`The template refers to ${logicalId}, which it lacks.`);
    const text = (property: string) => {
      const value = resolve(declared[logicalId]?.Properties[property], logicalId);
      return value === undefined ? undefined : String(value);
    };
    const found = type.identify({ logicalId, text, origins });
    inProgress.delete(logicalId);
    identities.set(logicalId, found);
    return found;
  }

  function resolve(value: unknown, location: string): unknown {
    const resolved = walk(value, location);
    return resolved === NO_VALUE ? undefined : resolved;
  }

  function walk(value: unknown, location: string): unknown {
    if (Array.isArray(value))
      return value.map((element) => walk(element, location)).filter((each) => each !== NO_VALUE);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, argument] = intrinsicIn(entries, location) ?? [];
    switch (name) {
      case undefined: {
        const fields = entries.map(([field, each]) => [field, walk(each, location)]);
        return Object.fromEntries(fields.filter(([, each]) => each !== NO_VALUE));
      }
      case 'Ref':
        return reference(text(argument, location, name));
      case 'Fn::GetAtt': {
        const [logicalId = '', ...names] = attributePath(argument, location);
        return attribute(logicalId, names.join('.'), location);
      }
      case 'Fn::Join':
        return join(argument, location);
      case 'Fn::Sub':
        return substitute(argument, location);
      default:
        throw new TemplateError(`${location} uses the intrinsic ${name}, which is not interpreted.`);
    }
  }

  function reference(id: string): unknown {
    if (id === 'AWS::NoValue') return NO_VALUE;
    return pseudoParameters[id] ?? identity(id).ref;
  }

  function attribute(logicalId: string, name: string, location: string): string {
    const value = identity(logicalId).attributes[name];
    if (value !== undefined) return value;
    throw new TemplateError(`${location} asks for the attribute ${name} of ${logicalId}, which is not interpreted.`);
  }

  function join(argument: unknown, location: string): string {
    const [separator, parts] = Array.isArray(argument) ? (argument as unknown[]) : [];
    const resolved = walk(parts, location);
    if (!Array.isArray(resolved)) throw new TemplateError(`${location} has an Fn::Join without a list.`);
    return resolved.map((part) => text(part, location, 'Fn::Join')).join(text(separator, location, 'Fn::Join'));
  }

  function substitute(argument: unknown, location: string): string {
    const [pattern, variables] = Array.isArray(argument) ? (argument as unknown[]) : [argument];
    const values = new Map(Object.entries((walk(variables, location) as object | undefined) ?? {}));
    return withVariables(text(pattern, location, 'Fn::Sub'), (name, whole) => {
      if (values.has(name)) return text(values.get(name), location, 'Fn::Sub');
      const dot = name.indexOf('.');
      if (dot > 0) return attribute(name.slice(0, dot), name.slice(dot + 1), location);
      return text(reference(name), location, whole);
    });
  }

  return { resolve, identity };
}

function intrinsicIn(entries: readonly [string, unknown][], location: string): [string, unknown] | undefined {
  const intrinsic = entries.find(([name]) => name === 'Ref' || name.startsWith('Fn::'));
  if (intrinsic && entries.length > 1)
    throw new TemplateError(`${location} has ${intrinsic[0]} together with other properties.`);
  return intrinsic;
}

/** Replaces `${name}`; `${!name}` stands for the text `${name}`. */
const withVariables = (pattern: string, valueOf: (name: string, whole: string) => string): string =>
  pattern.replaceAll(/\$\{(!?)([^}]*)\}/g, (whole, literal: string, name: string) =>
    literal ? `\${${name}}` : valueOf(name, whole),
  );

/** A logical id, and the parts of the attribute's name. */
function attributePath(argument: unknown, location: string): string[] {
  const parts: unknown[] = typeof argument === 'string' ? argument.split('.') : Array.isArray(argument) ? argument : [];
  return parts.map((part) => text(part, location, 'Fn::GetAtt'));
}

function text(value: unknown, location: string, intrinsic: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TemplateError(`${location} has ${intrinsic} with a value that is not a text.`);
}
