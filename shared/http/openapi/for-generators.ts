type Schema = Record<string, unknown>;

/**
 * The same schema in the forms that client generators read alike: 64-bit integers and doubles by their `format`, null
 * as a type, and one pattern for texts of several forms.
 */
export function forGenerators(schema: Schema): Schema {
  return withFormat(withoutChoice(withParts(schema, forGenerators)));
}

/** The schema with each schema directly below it changed. */
function withParts(schema: Schema, change: (part: Schema) => Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema;
  const changed = (part: unknown) => (isSchema(part) ? change(part) : part);
  return {
    ...schema,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, changed(part)])),
    }),
    ...(isSchema(items) && { items: change(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(changed) }),
    ...(isSchema(additionalProperties) && { additionalProperties: change(additionalProperties) }),
  };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One schema for a choice that is between null and another, or among texts. */
function withoutChoice(schema: Schema): Schema {
  const { anyOf, ...own } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const choices = anyOf.filter(isSchema);
  const others = choices.filter(({ type }) => type !== 'null');
  const [only, ...more] = others;
  const one = more.length === 0 ? only : oneText(others);
  if (one === undefined) return schema;
  return others.length === choices.length ? { ...one, ...own } : { ...withNull(one), ...own };
}

const withNull = (schema: Schema): Schema => ({
  ...schema,
  type: [schema['type'], 'null'],
  ...(Array.isArray(schema['enum']) && { enum: [...schema['enum'], null] }),
});

function oneText(choices: readonly Schema[]): Schema | undefined {
  const patterns = choices.map(({ pattern, enum: texts }) =>
    Array.isArray(texts) ? texts.map((text) => `^${escaped(String(text))}$`).join('|') : pattern,
  );
  const isText = choices.every(({ type }, n) => type === 'string' && patterns[n] !== undefined);
  return isText ? { type: 'string', pattern: patterns.join('|') } : undefined;
}

const escaped = (text: string): string => text.replace(/[$*.?+^(){}[\]|\\]/g, '\\$&');

const INT32_MAX = 2 ** 31 - 1;

/** Without a format many generators take 32 bits. The bounds of a safe integer are no limits of the API. */
function withFormat(schema: Schema): Schema {
  const types = [schema['type']].flat();
  if (types.includes('number')) return { format: 'double', ...schema };
  if (!types.includes('integer') || Number(schema['maximum']) <= INT32_MAX) return schema;
  const kept = Object.entries(schema).filter(([, value]) => Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER);
  return { ...Object.fromEntries(kept), format: 'int64' };
}
