import type { AwsError, EmbeddedService, Input, Output, RequiredPermission } from './call.ts';

/** An entry of a service's operation table. `Context` is the part of the service that handlers work on. */
interface Operation<Context, Result = Promise<Output>> {
  /** The permissions that the caller's role needs for this input. */
  readonly requires: (input: Input, context: Context) => readonly RequiredPermission[];
  readonly handle: (input: Input, context: Context, role: string) => Result;
}

export type OperationTable<Context, Result = Promise<Output>> = Readonly<Record<string, Operation<Context, Result>>>;

/** Makes the service's error for a name that its table lacks. */
type UnknownOperation = (name: string) => AwsError;

/** The operation of a name. */
export function operationNamed<Entry>(
  table: Readonly<Record<string, Entry>>,
  name: string,
  unknown: UnknownOperation,
): Entry {
  const operation = Object.hasOwn(table, name) ? table[name] : undefined;
  if (operation === undefined) throw unknown(name);
  return operation;
}

/** A service that has nothing but its operations. */
export const tableService =
  <Context>(id: EmbeddedService['id'], operations: OperationTable<Context>, unknown: UnknownOperation) =>
  (context: Context): EmbeddedService => ({
    id,
    requiredPermissions: (operation, input) => operationNamed(operations, operation, unknown).requires(input, context),
    call: async (operation, input, role) => operationNamed(operations, operation, unknown).handle(input, context, role),
  });
