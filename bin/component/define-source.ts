import type { HttpEvent, TimerEvent } from './component-events.ts';
import type { PropOf, Props } from './prop-types.ts';

type Methods = Record<string, (...args: never[]) => unknown>;

/** The second argument of `$emit`. */
export interface EmitOptions {
  /** By which `dedupe` recognises the event. */
  id?: string | number;
  /** Stream of the event. */
  name?: string;
  summary?: string;
  /** Epoch ms. */
  ts?: number;
}

/** `this` in `run`, hooks and methods: the props by their declared types, the methods, and `$emit`. */
export type ComponentThis<P extends Props, M> = { readonly [K in keyof P]: PropOf<P[K]> } & M & {
    $emit(event: unknown, options?: EmitOptions): void;
  };

/** The event of the interfaces among the props; `unknown` for a source that listens to others. */
type EventOf<P extends Props> =
  | (HasProp<P, '$.interface.http'> extends true ? HttpEvent : never)
  | (HasProp<P, '$.interface.timer'> extends true ? TimerEvent : never) extends infer Event
  ? [Event] extends [never]
    ? unknown
    : Event
  : never;

type HasProp<P extends Props, Type extends string> = true extends {
  [K in keyof P]: P[K] extends Type | { readonly type: Type } ? true : never;
}[keyof P]
  ? true
  : false;

export interface SourceDefinition<P extends Props, M extends Methods> {
  name: string;
  version: string;
  key?: string;
  type?: 'source';
  description?: string;
  dedupe?: 'unique' | 'greatest' | 'last';
  props?: P;
  methods?: M & ThisType<ComponentThis<P, M>>;
  hooks?: Partial<Record<'deploy' | 'activate' | 'deactivate', () => unknown>> & ThisType<ComponentThis<P, M>>;
  additionalProps?(this: ComponentThis<P, M>): unknown;
  sampleEmit?: unknown;
  /** A method, so that a listener may declare the type of the events that it gets. */
  run?(this: ComponentThis<P, M>, event: EventOf<P>): unknown;
}

/** Returns its argument. TypeScript checks it, and knows `this` from its props and methods. */
export const defineSource = <const P extends Props = Record<never, never>, M extends Methods = Record<never, never>>(
  source: SourceDefinition<P, M>,
): SourceDefinition<P, M> => source;
