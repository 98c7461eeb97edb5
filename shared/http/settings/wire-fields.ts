import type * as z from 'zod';

/** A name of the domain as the API spells it: `rateLimit` is `rate_limit`. */
type WireName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${WireName<Rest>}`
  : Name;

/** One value for each setting, and no other, by the names of the API. */
export type WireFields<Settings, Value> = {
  [Name in keyof Settings & string as WireName<Name>]-?: Value;
};

/** The same, beside other fields. */
export type WithWireFields<Settings, Value> = WireFields<Settings, Value> & Record<string, Value>;

export type ParsedFields<Fields extends Record<string, z.ZodType>> = {
  [Name in keyof Fields]?: z.output<Fields[Name]> | undefined;
};
