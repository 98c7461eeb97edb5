import * as z from 'zod';
import { forGenerators } from './for-generators.ts';

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of a zod schema. A schema with a transform describes its input with `meta({ jsonSchema })`: JSON, or
 * another zod schema.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made: JsonSchema = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { jsonSchema: described, description, ...own } = jsonSchema;
      if (described === undefined) return;
      for (const name of Object.keys(own)) Reflect.deleteProperty(jsonSchema, name);
      Reflect.deleteProperty(jsonSchema, 'jsonSchema');
      Object.assign(jsonSchema, described instanceof z.ZodType ? jsonSchemaOf(described, io) : described);
      if (description !== undefined) Object.assign(jsonSchema, { description });
    },
  });
  return forGenerators(without(made, '$schema'));
}

/** The same schema for responses that may get new members: it does not close an object. */
export function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => !(name === 'additionalProperties' && value === false));
  return Object.fromEntries(kept.map(([name, value]) => [name, opened(value)]));
}

const without = (schema: JsonSchema, keyword: string): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));

/** The member schemas of an object schema, by name; empty for other schemas. */
export const propertiesOf = ({ properties }: JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(members(properties)).map(([name, schema]) => [name, members(schema)]));

export const requiredOf = ({ required }: JsonSchema): string[] => (Array.isArray(required) ? required.map(String) : []);

const members = (value: unknown): JsonSchema => (typeof value === 'object' && value !== null ? { ...value } : {});
