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

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S';
}

export interface KeySchema {
  readonly hash: KeyAttribute;
  readonly range: KeyAttribute;
  /** Hash key and range key, in this order. */
  readonly attributes: readonly KeyAttribute[];
}

/** Every table has two keys, which are texts. */
export function tableKeys(spec: TableSpec): KeySchema {
  const find = (keyType: string): KeyAttribute => {
    const name = spec.keySchema.find((element) => element.KeyType === keyType)?.AttributeName;
    const type = spec.attributeDefinitions.find((definition) => definition.AttributeName === name)?.AttributeType;
    if (name !== undefined && type === 'S') return { name, type };
    throw new Error(`Table ${spec.name}: its key schema needs a ${keyType} attribute of the type S.`);
  };
  const [hash, range] = [find('HASH'), find('RANGE')];
  return { hash, range, attributes: [hash, range] };
}
