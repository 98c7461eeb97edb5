import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as lambda from '@aws-sdk/client-lambda';
import * as s3 from '@aws-sdk/client-s3';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType, Resource as Specification } from '@aws-cdk/service-spec-types';
import type { Template } from './template.ts';

/** AWS's published specification of CloudFormation resources. */
const database = loadAwsServiceSpecSync();

function specificationOf(type: string): Specification | undefined {
  const [found] = database.lookup('resource', 'cloudFormationType', 'equals', type);
  return found;
}

/** The properties whose change makes CloudFormation replace a resource, always or in some cases. */
export const propertiesThatReplace = (type: string, names: readonly string[]): string[] =>
  names.filter((name) => {
    const { causesReplacement = 'no' } = specificationOf(type)?.properties[name] ?? {};
    return causesReplacement !== 'no';
  });

/** One sentence for each resource type, property, value or missing property that AWS's specification does not allow. */
export function problemsOf({ Resources }: Template): string[] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => {
    const specification = specificationOf(Type);
    if (!specification) return [`${id} has the type ${Type}, which does not exist.`];
    return problemsOfObject(specification.properties, Properties, `${id} (${Type})`);
  });
}

function problemsOfObject(properties: Readonly<Record<string, Property>>, value: unknown, location: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${location} must be an object.`];
  const missing = Object.entries(properties)
    .filter(([name, { required }]) => required === true && !(name in value))
    .map(([name]) => `${location} lacks ${name}, which is required.`);
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const property = properties[name];
    if (!property) return [`${location} has no ${name}.`];
    const inner = `${location}.${name}`;
    return [...problemsOfValue(property.type, member, inner), ...unlistedValues(name, property, member, inner)];
  });
  return [...missing, ...wrong];
}

/** The specification has no enumerations. AWS's SDK has those of the service that takes the property. */
const ENUMERATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Architectures: lambda.Architecture,
  FunctionResponseTypes: lambda.FunctionResponseType,
  RecursiveLoop: lambda.RecursiveLoop,
  Runtime: lambda.Runtime,
  TenantIsolationMode: lambda.TenantIsolationMode,
  AttributeType: dynamodb.ScalarAttributeType,
  BillingMode: dynamodb.BillingMode,
  KeyType: dynamodb.KeyType,
  ObjectOwnership: s3.ObjectOwnership,
  // Its documentation has a sentence after each value.
  OriginProtocolPolicy: { http: 'http-only', https: 'https-only', viewer: 'match-viewer' },
  SSEAlgorithm: s3.ServerSideEncryption,
};

/** Values that neither the SDK nor the documentation of the property lists, if one of them lists values. */
function unlistedValues(name: string, { documentation = '' }: Property, value: unknown, location: string): string[] {
  const enumeration = Object.hasOwn(ENUMERATIONS, name) ? ENUMERATIONS[name] : undefined;
  const listed = enumeration ? Object.values(enumeration) : listedValues(documentation);
  if (listed.length === 0) return [];
  return [value]
    .flat()
    .filter((each): each is string => typeof each === 'string' && !listed.includes(each))
    .map((each) => `${location} must be ${listed.join(', ')}, not ${each}.`);
}

/** "Valid values are `a` and `b`.", for some properties with quotation marks within. */
function listedValues(documentation: string): string[] {
  const [, list = ''] =
    /\b(?:valid|allowed|possible) values?\b([^]*?)(?:\.\s|\n\n(?!\s*-)|$)/i.exec(documentation) ?? [];
  return [...list.matchAll(/`"?([^`"]+)"?`/g)].map(([, value = '']) => value);
}

function problemsOfValue(type: PropertyType, value: unknown, location: string): string[] {
  if (isIntrinsic(value)) return [];
  const must = (holds: boolean) =>
    holds ? [] : [`${location} must be ${nameOf(type)}, not ${JSON.stringify(value)}.`];
  switch (type.type) {
    case 'json':
      return [];
    case 'string':
    case 'date-time':
      return must(typeof value === 'string');
    case 'boolean':
      return must(typeof value === 'boolean');
    case 'integer':
      return must(Number.isInteger(value));
    case 'number':
      return must(typeof value === 'number');
    case 'null':
      return must(value === null);
    case 'tag':
      return must(typeof value === 'object' && value !== null && 'Key' in value && 'Value' in value);
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((element, index) => problemsOfValue(type.element, element, `${location}[${index}]`))
        : must(false);
    case 'map':
      return typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, member]) => problemsOfValue(type.element, member, `${location}.${key}`))
        : must(false);
    case 'ref':
      return problemsOfObject(database.get('typeDefinition', type.reference).properties, value, location);
    case 'union': {
      const [fewest = []] = type.types
        .map((each) => problemsOfValue(each, value, location))
        .sort((a, b) => a.length - b.length);
      return fewest;
    }
  }
}

const nameOf = ({ type }: PropertyType): string => (type === 'array' ? 'a list' : type);

const isIntrinsic = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));
