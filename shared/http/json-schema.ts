import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The JSON Schema of a zod schema. A schema with a transform describes its input with `meta({ jsonSchema })`. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made: JsonSchema = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { jsonSchema: described, ...own } = jsonSchema;
      if (described === undefined) return;
      for (const name of Object.keys(own)) Reflect.deleteProperty(jsonSchema, name);
      Reflect.deleteProperty(jsonSchema, 'jsonSchema');
      Object.assign(jsonSchema, described);
    },
  });
  return without(made, '$schema');
}

/** The same object schema without required members, for answers reduced by `include` and `exclude`. */
export function withoutRequired(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return without(schema, 'required');
  return { ...schema, anyOf: anyOf.map((choice: unknown) => withoutRequired(members(choice))) };
}

const without = (schema: JsonSchema, keyword: string): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));

/** The member schemas of an object schema, by name; empty for other schemas. */
export const propertiesOf = ({ properties }: JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(members(properties)).map(([name, schema]) => [name, members(schema)]));

export const requiredOf = ({ required }: JsonSchema): string[] =>
  Array.isArray(required) ? required.map(String) : [];

const members = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? { ...value } : {};
