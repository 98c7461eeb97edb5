/** What the interpreter does with a property. A property that is in no table stops the start. */
export type Use = 'interpreted' | `without effect here, because ${string}`;

/**
 * The properties of a resource type, nested ones by path: `Environment.Variables` is a field of a field,
 * `Replicas[].Region` a field of each element. An entry covers everything below it unless there are deeper entries.
 */
export type PropertyTable = Readonly<Record<string, Use>>;

export interface Identity {
  /** What `Ref` gives. */
  readonly ref: string;
  /** What `Fn::GetAtt` knows. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ResourceType {
  readonly properties: PropertyTable;
  /** Logical ids of this type name data on disk; one that leaves the template strands it. */
  readonly holdsData?: true;
  identify(resource: Unnamed): Identity;
}

export interface Unnamed {
  readonly logicalId: string;
  /** The resolved text of a property, if the template gives it. */
  text(property: string): string | undefined;
  /** Where the HTTP APIs are reached, without a slash at the end. */
  readonly publicUrl: string;
}

export const region = 'us-east-1';
export const account = '000000000000';
export const stackName = 'tributary';

export const arn = (service: string, resource: string) =>
  `arn:aws:${service}:${region}:${account}:${resource}`;
export const roleArn = (name: string) => `arn:aws:iam::${account}:role/${name}`;
export const functionArn = (name: string) => arn('lambda', `function:${name}`);

/** For what has no attributes that a template asks for. */
export const named = ({ logicalId }: Unnamed): Identity => ({ ref: logicalId, attributes: {} });
