import * as z from 'zod';

/** The parts of the OpenAPI document that its page shows. */

const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).optional(),
});

const Content = z.record(z.string(), z.object({ schema: z.unknown(), example: z.unknown().optional() }));

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean(),
  description: z.string(),
  schema: z.unknown(),
});

export const Operation = z.object({
  operationId: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  'x-extension': z.boolean().optional(),
  parameters: z.array(Parameter),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  requestBody: z.object({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string().optional(),
      content: Content.optional(),
      $ref: z.string().optional(),
    }),
  ),
});
export type Operation = z.infer<typeof Operation>;

export const ApiDocument = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});
export type ApiDocument = z.infer<typeof ApiDocument>;
export type ObjectSchema = z.infer<typeof Schema>;

const Choice = z.looseObject({
  $ref: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
});

export const namedBy = (reference: string): string => reference.split('/').at(-1) ?? '';

/** A schema in words: `string or null`, `array of Source`. */
export function typeText(schema: unknown): string {
  const { $ref, const: constant, enum: values, anyOf, items, type } = Choice.parse(schema ?? {});
  if ($ref !== undefined) return namedBy($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values) return values.length > 8 ? 'string' : values.map((value) => JSON.stringify(value)).join(' or ');
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(' or ');
  if (items !== undefined) return `array of ${typeText(items)}`;
  return type === undefined ? 'any' : [type].flat().join(' or ');
}
