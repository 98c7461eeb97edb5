import { account, region, stackName, type Identity, type ResourceType } from './resource-type.ts';
import type { Origins } from '../http-api/api-names.ts';
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

  function resolve(value: unknown, place: string): unknown {
    const resolved = walk(value, place);
    return resolved === NO_VALUE ? undefined : resolved;
  }

  function walk(value: unknown, place: string): unknown {
    if (Array.isArray(value))
      return value.map((element) => walk(element, place)).filter((each) => each !== NO_VALUE);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const intrinsic = entries.find(([name]) => name === 'Ref' || name.startsWith('Fn::'));
    if (!intrinsic) {
      return Object.fromEntries(
        entries.map(([name, field]) => [name, walk(field, place)]).filter(([, field]) => field !== NO_VALUE),
      );
    }
    const [name, argument] = intrinsic;
    if (entries.length > 1) throw new TemplateError(`${place} has ${name} together with other properties.`);
    switch (name) {
      case 'Ref':
        return reference(text(argument, place, name));
      case 'Fn::GetAtt':
        return getAtt(argument, place);
      case 'Fn::Join':
        return join(argument, place);
      case 'Fn::Sub':
        return substitute(argument, place);
      default:
        throw new TemplateError(`${place} uses the intrinsic ${name}, which is not interpreted.`);
    }
  }

  function reference(id: string): unknown {
    if (id === 'AWS::NoValue') return NO_VALUE;
    return pseudoParameters[id] ?? identity(id).ref;
  }

  function attribute(logicalId: string, name: string, place: string): string {
    const value = identity(logicalId).attributes[name];
    if (value !== undefined) return value;
    throw new TemplateError(
      `${place} asks for the attribute ${name} of ${logicalId}, which is not interpreted.`,
    );
  }

  function getAtt(argument: unknown, place: string): string {
    const parts: unknown[] =
      typeof argument === 'string' ? argument.split('.') : Array.isArray(argument) ? argument : [];
    const [logicalId, ...names] = parts.map((part) => text(part, place, 'Fn::GetAtt'));
    return attribute(logicalId ?? '', names.join('.'), place);
  }

  function join(argument: unknown, place: string): string {
    const [separator, parts] = Array.isArray(argument) ? (argument as unknown[]) : [];
    const resolved = walk(parts, place);
    if (!Array.isArray(resolved)) throw new TemplateError(`${place} has an Fn::Join without a list.`);
    return resolved.map((part) => text(part, place, 'Fn::Join')).join(text(separator, place, 'Fn::Join'));
  }

  function substitute(argument: unknown, place: string): string {
    const [pattern, variables] = Array.isArray(argument) ? (argument as unknown[]) : [argument];
    const values = new Map(Object.entries((walk(variables, place) as object | undefined) ?? {}));
    return text(pattern, place, 'Fn::Sub').replaceAll(
      /\$\{(!?)([^}]*)\}/g,
      (whole, literal: string, name: string) => {
        if (literal) return `\${${name}}`;
        if (values.has(name)) return text(values.get(name), place, 'Fn::Sub');
        const dot = name.indexOf('.');
        if (dot > 0) return attribute(name.slice(0, dot), name.slice(dot + 1), place);
        return text(reference(name), place, whole);
      },
    );
  }

  return { resolve, identity };
}

function text(value: unknown, place: string, intrinsic: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TemplateError(`${place} has ${intrinsic} with a value that is not a text.`);
}
