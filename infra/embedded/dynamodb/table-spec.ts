/** A table as the template describes it, in CloudFormation's spelling. */
export interface TableSpec {
  readonly name: string;
  readonly keySchema: readonly KeySchemaElement[];
  readonly attributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
  readonly globalSecondaryIndexes?: readonly IndexSpec[] | undefined;
  readonly timeToLiveAttribute?: string | undefined;
}

interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

interface IndexSpec {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly Projection: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
}

export type KeyType = 'S' | 'N' | 'B';

export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

export interface KeySchema {
  readonly hash: KeyAttribute;
  readonly range: KeyAttribute | undefined;
  /** Hash key and range key, in this order. */
  readonly attributes: readonly KeyAttribute[];
}

export interface IndexSchema extends KeySchema {
  readonly name: string;
  /** Names of the attributes that the index holds; undefined: all attributes. */
  readonly projected: readonly string[] | undefined;
}

export function tableKeys(spec: TableSpec): KeySchema {
  return keySchema(spec, spec.keySchema);
}

export function tableIndexes(spec: TableSpec): IndexSchema[] {
  const table = tableKeys(spec).attributes.map(({ name }) => name);
  return (spec.globalSecondaryIndexes ?? []).map((index) => {
    const keys = keySchema(spec, index.KeySchema);
    const all = (index.Projection.ProjectionType ?? 'ALL') === 'ALL';
    const names = [
      ...keys.attributes.map(({ name }) => name),
      ...table,
      ...(index.Projection.NonKeyAttributes ?? []),
    ];
    return { ...keys, name: index.IndexName, projected: all ? undefined : [...new Set(names)] };
  });
}

function keySchema(spec: TableSpec, elements: readonly KeySchemaElement[]): KeySchema {
  const find = (keyType: string) => {
    const name = elements.find((element) => element.KeyType === keyType)?.AttributeName;
    if (name === undefined) return undefined;
    const type = spec.attributeDefinitions.find(
      (definition) => definition.AttributeName === name,
    )?.AttributeType;
    if (type !== 'S' && type !== 'N' && type !== 'B') {
      throw new Error(
        `Table ${spec.name}: the key attribute ${name} has no type in its attribute definitions.`,
      );
    }
    return { name, type } as const;
  };
  const hash = find('HASH');
  if (!hash) throw new Error(`Table ${spec.name} has a key schema without a HASH attribute.`);
  const range = find('RANGE');
  return { hash, range, attributes: range ? [hash, range] : [hash] };
}
