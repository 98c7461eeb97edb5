import * as z from 'zod';
import { checkProperties } from './check-properties.ts';
import { resolver } from './resolve.ts';
import { type Identity, type ResourceType, type Use } from './resource-type.ts';
import { resourceTypes } from './resource-types.ts';
import type { Origins } from './api-names.ts';
import { TemplateError } from './template-error.ts';

export interface Resource extends Identity {
  readonly logicalId: string;
  readonly type: string;
  /** Resolved properties, without intrinsics. */
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface Interpretation {
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, unknown>>;
  ofType(type: string): readonly Resource[];
}

/** Attributes of a resource other than its properties. */
const resourceAttributes: Readonly<Record<string, Use>> = {
  Type: 'interpreted',
  Properties: 'interpreted',
  DependsOn: 'without effect here, because references give the order',
  Metadata: 'without effect here, because it is for tools',
  DeletionPolicy: 'without effect here, because data that left the template stops the start',
  UpdateReplacePolicy: 'without effect here, because data that left the template stops the start',
};

const sections: Readonly<Record<string, Use>> = {
  Resources: 'interpreted',
  Outputs: 'interpreted',
  AWSTemplateFormatVersion: 'without effect here, because there is one version',
  Description: 'without effect here, because nothing reads it',
  Metadata: 'without effect here, because it is for tools',
};

const Template = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).default({}),
});
type Declared = z.output<typeof Template>['Resources'][string];

/** Reads a synthesised template. Throws a {@link TemplateError} for unknown content. */
export function interpret(template: unknown, { origins }: { origins: Origins }): Interpretation {
  const { Resources, Outputs, ...others } = Template.parse(template);
  for (const section of Object.keys(others)) {
    if (!Object.hasOwn(sections, section))
      throw new TemplateError(`The template has the section ${section}, which is not interpreted.`);
  }
  const types = new Map(Object.entries(Resources).map(([id, declared]) => [id, typeOf(id, declared)]));
  const { resolve, identity } = resolver({ declared: Resources, types, origins });
  const resources = Object.entries(Resources).map(([logicalId, { Type: type, Properties }]) => {
    const properties = z.record(z.string(), z.unknown()).parse(resolve(Properties, `${logicalId} (${type})`));
    checkProperties(types.get(logicalId)?.properties ?? {}, properties, { logicalId, type });
    return { logicalId, type, properties, ...identity(logicalId) };
  });
  const outputs = Object.entries(Outputs).map(([id, { Value }]) => [id, resolve(Value, `the output ${id}`)]);
  return {
    resources,
    outputs: Object.fromEntries(outputs) as Record<string, unknown>,
    ofType: (type) => resources.filter((resource) => resource.type === type),
  };
}

function typeOf(logicalId: string, declared: Declared): ResourceType {
  const type = Object.hasOwn(resourceTypes, declared.Type) ? resourceTypes[declared.Type] : undefined;
  if (!type) throw new TemplateError(`${logicalId} has the type ${declared.Type}, which is not interpreted.`);
  for (const attribute of Object.keys(declared)) {
    if (Object.hasOwn(resourceAttributes, attribute)) continue;
    throw new TemplateError(
      `${logicalId} (${declared.Type}) has the attribute ${attribute}, which is not interpreted.`,
    );
  }
  return type;
}
