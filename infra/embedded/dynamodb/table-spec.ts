/** A table as the template describes it, in CloudFormation's spelling. */
export interface TableSpec {
  readonly name: string;
  readonly keySchema: readonly KeySchemaElement[];
  readonly attributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
  readonly timeToLiveAttribute?: string | undefined;
}

interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: string;
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

export function tableKeys(spec: TableSpec): KeySchema {
  const find = (keyType: string) => {
    const name = spec.keySchema.find((element) => element.KeyType === keyType)?.AttributeName;
    if (name === undefined) return undefined;
    const type = spec.attributeDefinitions.find((definition) => definition.AttributeName === name)?.AttributeType;
    if (type !== 'S' && type !== 'N' && type !== 'B') {
      throw new Error(`Table ${spec.name}: the key attribute ${name} has no type in its attribute definitions.`);
    }
    return { name, type } as const;
  };
  const hash = find('HASH');
  if (!hash) throw new Error(`Table ${spec.name} has a key schema without a HASH attribute.`);
  const range = find('RANGE');
  return { hash, range, attributes: range ? [hash, range] : [hash] };
}
