/**
 * The module that components get for `@pipedream/types`: functions that return their argument, so that TypeScript
 * checks it and types `this`.
 */

type Methods = Record<string, (...args: never[]) => unknown>;
type Props = Record<string, unknown>;

/** The second argument of `$emit`. */
export interface EmitMetadata {
  id?: string | number;
  name?: string;
  summary?: string;
  /** Epoch ms. */
  ts?: number;
}

export interface Emitter {
  $emit(event: unknown, metadata?: EmitMetadata): void;
}

/** Types of props on `this`. Values are `unknown`, because they depend on the component. */
type PropValues<P extends Props> = { [K in keyof P]: P[K] extends '$.service.db' ? Database : unknown };

export interface Database {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

export interface Source<P extends Props, M extends Methods> {
  name: string;
  version: string;
  key?: string;
  type?: 'source';
  description?: string;
  props?: P;
  methods?: M & ThisType<PropValues<P> & M & Emitter>;
  hooks?: Partial<Record<'deploy' | 'activate' | 'deactivate', () => unknown>> & ThisType<PropValues<P> & M & Emitter>;
  dedupe?: 'unique' | 'greatest' | 'last';
  run?: (this: PropValues<P> & M & Emitter, event: never) => unknown;
}

export interface App<P extends Props, M extends Methods> {
  type: 'app';
  app: string;
  propDefinitions?: P;
  methods?: M & ThisType<{ $auth: Record<string, unknown> } & M>;
}

export interface Action<P extends Props, M extends Methods> {
  name: string;
  version: string;
  type: 'action';
  props?: P;
  methods?: M & ThisType<PropValues<P> & M>;
  run: (this: PropValues<P> & M, options: never) => unknown;
}

export const defineSource = <P extends Props, M extends Methods>(source: Source<P, M>): Source<P, M> => source;
export const defineApp = <P extends Props, M extends Methods>(app: App<P, M>): App<P, M> => app;
/** For modules that also contain actions, which cannot be deployed. */
export const defineAction = <P extends Props, M extends Methods>(action: Action<P, M>): Action<P, M> => action;
