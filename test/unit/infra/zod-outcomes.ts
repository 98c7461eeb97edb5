import { inspect } from 'node:util';
import * as z from 'zod';

const Pair = z.object({ a: z.string(), b: z.number().int().min(0).max(9) });
const Named = z.looseObject({ name: z.string() });

/** Of each kind that functions make. */
const schemas: Record<string, z.ZodType> = {
  string: z
    .string()
    .min(2)
    .max(4)
    .regex(/^[a-z😀]/u),
  number: z.number().min(-1).max(9),
  int: z.int('must be an integer').min(0),
  boolean: z.boolean(),
  literal: z.literal([1, 'a']),
  enum: z.enum(['a', 'b']),
  unknown: z.unknown(),
  bytes: z.instanceof(Uint8Array),
  array: Pair.array().min(1).max(2),
  object: Pair,
  strict: z.strictObject({ a: z.string() }),
  loose: Named.optional(),
  picked: Pair.pick({ a: true }).safeExtend({ c: z.boolean().default(true) }),
  omitted: Pair.omit({ a: true }).extend({ d: z.string().nullish() }),
  partial: Pair.partial().nullable(),
  record: z.record(z.string().regex(/^[a-z_]+$/), z.number()),
  union: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], 'neither'),
  kinds: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('one'), n: z.number() }),
    z.object({ kind: z.enum(['two', 'three']), s: z.string().optional() }),
  ]),
  json: z
    .string()
    .transform((text, context): unknown => {
      if (text.startsWith('[') || text.startsWith('{')) return JSON.parse(text);
      context.addIssue({ code: 'custom', message: 'is no JSON', params: { code: 'no_json' } });
      return z.NEVER;
    })
    .pipe(z.array(z.object({ a: z.string() }))),
  refined: Pair.refine(({ a, b }) => a.length === b, { path: ['b'], message: 'is not the length' })
    .superRefine(({ b }, context) => {
      if (b > 5) context.addIssue({ code: 'custom', message: 'is much', input: b });
    })
    .brand('refined'),
  custom: z.custom<string>((value) => typeof value === 'string', 'must be text').meta({ id: 'custom' }),
};

const values: unknown[] = [
  ...[undefined, null, true, 'true', '', 'a', 'ab', 'abcde', '😀😀😀', '[{"a":"x"}]', '{"a":1}', '[1]'],
  ...[0, 1, -2, 1.5, 9, 10, 2 ** 60, Number.NaN, Infinity, new Uint8Array(1), new Date(0), () => 1],
  ...[[], [1], [{ a: 'x', b: 1 }], [{ a: 'x' }, { b: 'y' }], [1, 2, 3], {}, { a: 'x' }, { a: 'x', b: 1 }],
  ...[{ a: undefined }, { a: 'sixsix', b: 6 }, { a: 1, b: 1.5, c: false, d: null }, { b: 2, d: 'd', e: 1 }],
  ...[{ name: 'n', more: [1] }, { kind: 'one', n: 1 }, { kind: 'three' }, { kind: 'four' }, { kind: 'one' }],
  ...[{ A: 1 }, { 1: 1 }, JSON.parse('{"__proto__":{"a":1},"a":"x"}'), Object.create(null)],
];

/** What comes of each value by each schema, as text. */
export const outcomes = (): string[] =>
  Object.entries(schemas).flatMap(([name, schema]) =>
    values.map((value) => {
      const result = schema.safeParse(value);
      const shown = result.success ? result.data : [result.error.issues, result.error.message];
      return inspect([name, value, shown], { depth: 9, breakLength: Infinity });
    }),
  );

const messageOf = (parse: () => unknown) => {
  try {
    return inspect(parse());
  } catch (error) {
    return String(error);
  }
};

/** What is refused of what zod itself can do. */
export const refusals = () => ({
  waiting: [
    messageOf(() =>
      z
        .string()
        .transform((text) => Promise.resolve(text))
        .parse('a'),
    ),
    messageOf(() =>
      z
        .string()
        .refine(() => Promise.resolve(false))
        .parse('a'),
    ),
  ],
  listed: messageOf(() => z.record(z.enum(['a', 'b']), z.number()).parse({ a: 1, b: 2 })),
  method: messageOf(() => z.string().includes('a').parse('a')),
});
