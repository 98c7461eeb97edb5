import type { AwsError, Input, Output, RequiredPermission } from './call.ts';

/** An entry of a service's operation table. `Context` is the part of the service that handlers work on. */
interface Operation<Context, Result = Promise<Output>> {
  /** The permissions that the caller's role needs for this input. */
  readonly requires: (input: Input, context: Context) => readonly RequiredPermission[];
  readonly handle: (input: Input, context: Context, role: string) => Result;
}

export type OperationTable<Context, Result = Promise<Output>> = Readonly<Record<string, Operation<Context, Result>>>;

/** The operation of a name. `unknown` makes the service's error for a name that the table lacks. */
export function operationNamed<Entry>(
  table: Readonly<Record<string, Entry>>,
  name: string,
  unknown: (name: string) => AwsError,
): Entry {
  const operation = Object.hasOwn(table, name) ? table[name] : undefined;
  if (operation === undefined) throw unknown(name);
  return operation;
}
