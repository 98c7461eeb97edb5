import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

const Type = z.union([z.string(), z.array(z.string())]);

/** The parts of a JSON schema that are compared. */
export const JsonSchema = z.looseObject({
  type: Type.optional(),
  enum: z.array(z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), JsonSchema).optional();
  },
  get anyOf() {
    return z.array(JsonSchema).optional();
  },
  get items() {
    return z.union([z.boolean(), JsonSchema]).optional();
  },
});
export type JsonSchema = z.infer<typeof JsonSchema>;

/** Parts whose change is compared in detail, or that refuse nothing. */
const OTHERS = [
  'type',
  'enum',
  'required',
  'properties',
  'items',
  'anyOf',
  'default',
  '$schema',
  'additionalProperties',
];

/**
 * The values of a writer that a reader may refuse, each with its path. A reader ignores properties that it does not
 * know.
 */
export function refusedValues(reader: JsonSchema, writer: JsonSchema, path: string): string[] {
  const { properties = {}, required = [], items } = reader;
  const written = writer.properties ?? {};
  return [
    ...typesOf(writer)
      .filter((type) => !accepts(typesOf(reader), type))
      .map((type) => `${path} is ${type}`),
    ...(reader.enum === undefined
      ? []
      : (writer.enum ?? ['any value'])
          .filter((value) => !reader.enum?.includes(value))
          .map((value) => `${path} is ${String(value)}`)),
    ...(reader.anyOf === undefined
      ? []
      : (writer.anyOf ?? [writer])
          .filter((one) => !reader.anyOf?.some((each) => refusedValues(each, one, path).length === 0))
          .map(() => `${path} has another alternative`)),
    ...constraintsOf(reader)
      .filter(([name, value]) => !isDeepStrictEqual(comparable(value), comparable(writer[name])))
      .map(([name]) => `${path} has another ${name}`),
    ...required.filter((name) => !(writer.required ?? []).includes(name)).map((name) => `${path}.${name} is absent`),
    ...Object.entries(properties).flatMap(([name, property]) => {
      const other = written[name];
      return other === undefined ? [] : refusedValues(property, other, `${path}.${name}`);
    }),
    ...(typeof items === 'object' && typeof writer.items === 'object'
      ? refusedValues(items, writer.items, `${path}[]`)
      : []),
  ];
}

const typesOf = ({ type = [] }: JsonSchema): string[] => [type].flat();

const accepts = (types: readonly string[], type: string): boolean =>
  types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));

const constraintsOf = (schema: JsonSchema): [string, unknown][] =>
  Object.entries(schema).filter(([name]) => !OTHERS.includes(name));

/** Schemas of values that are written forbid other properties, those of values that are read ignore them. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, part: unknown) =>
      name === 'default' || (name === 'additionalProperties' && part === false) ? undefined : part,
    ),
  );
