import type { Input, Output, RequiredPermission } from '../call.ts';
import type { Faults } from '../faults.ts';
import type { Meter } from './meter.ts';
import type { FindTable } from './request.ts';

/** The parts of the service that its operations work on. */
export interface DynamoDbContext {
  readonly find: FindTable;
  readonly faults: Faults;
}

/** An entry of the operation table. Handlers are synchronous: no request sees half of another. */
export interface DynamoDbOperation {
  readonly requires: (input: Input, context: DynamoDbContext) => readonly RequiredPermission[];
  readonly handle: (input: Input, context: DynamoDbContext, meter: Meter | undefined) => Output;
  /** The service commits before it answers. */
  readonly isWrite?: true;
}
