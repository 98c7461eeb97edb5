import type { Origins } from './api-names.ts';

/** The interpretation of a property. A property without an entry stops the start. */
export type Use = 'interpreted' | `without effect here, because ${string}`;

/**
 * The properties of a resource type by path: `Environment.Variables` is a field of a field, `Replicas[].Region` a field
 * of each element. An entry covers everything below it unless there are deeper entries.
 */
export type PropertyTable = Readonly<Record<string, Use>>;

export interface Identity {
  /** The value of `Ref`. */
  readonly ref: string;
  /** The values of `Fn::GetAtt`. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ResourceType {
  readonly properties: PropertyTable;
  /** Logical ids of this type name data on disk. */
  readonly holdsData?: true;
  identify(resource: Unnamed): Identity;
}

interface Unnamed {
  readonly logicalId: string;
  /** The resolved text of a property, if the template has it. */
  text(property: string): string | undefined;
  readonly origins: Origins;
}

export const region = 'us-east-1';
export const account = '000000000000';
export const stackName = 'tributary';

export const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;
export const roleArn = (name: string) => `arn:aws:iam::${account}:role/${name}`;
export const functionArn = (name: string) => arn('lambda', `function:${name}`);

/** The identity of a resource without attributes. */
export const named = ({ logicalId }: Unnamed): Identity => ({ ref: logicalId, attributes: {} });
