type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'any';

/** The types of props that the service knows. It warns of others. */
type PropType =
  | ValueType
  | `${ValueType}[]`
  | 'sql'
  | 'http_request'
  | 'alert'
  | 'app'
  | 'data_store'
  | 'dir'
  | '$.service.db'
  | `$.interface.${'http' | 'timer' | 'apphook'}`
  | `$.${'airtable' | 'discord'}.${string}`;

type Members = Readonly<Record<string, unknown>>;

/** A prop as a source declares it: a type, an object with a type, or an app, whose `type` is often any text. */
export type Props = Record<
  string,
  PropType | (Members & { readonly type?: PropType }) | (Members & { readonly app: string; readonly type?: string })
>;

export interface ComponentDatabase {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

export interface HttpInterface {
  /** Address of the source's endpoint. */
  endpoint: string;
  respond(response: { status: number | string; headers?: Record<string, string>; body?: unknown }): void;
}

export interface TimerInterface {
  interval_seconds?: number;
  intervalSeconds?: number;
  cron?: string;
}

/** Types of props, and their values. */
interface PropValues {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  object: Record<string, unknown>;
  any: unknown;
  'string[]': string[];
  'integer[]': number[];
  'number[]': number[];
  'boolean[]': boolean[];
  'object[]': Record<string, unknown>[];
  '$.service.db': ComponentDatabase;
  '$.interface.http': HttpInterface;
  '$.interface.timer': TimerInterface;
}

type ValueOf<Type> = Type extends keyof PropValues ? PropValues[Type] : unknown;

type AppOf<P> = { readonly $auth: Readonly<Record<string, string>> } & (P extends {
  readonly methods: infer M;
}
  ? M
  : unknown);

/** The value of a prop on `this`. An optional one without a default may be missing. */
export type PropOf<P> = P extends string
  ? ValueOf<P>
  : P extends { readonly type: 'app' }
    ? AppOf<P>
    : P extends { readonly type: infer Type }
      ? P extends { readonly optional: true }
        ? P extends { readonly default: unknown }
          ? ValueOf<Type>
          : ValueOf<Type> | undefined
        : ValueOf<Type>
      : unknown;
