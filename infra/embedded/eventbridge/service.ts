import { type OperationTable, tableService } from '../operation.ts';
import type { EventBridgeContext } from './context.ts';
import { unknownEventBridgeOperation } from './errors.ts';
import { putEvents } from './operations/put-events.ts';
import { putPermissions } from './permissions.ts';

export const eventBridgeOperations = {
  PutEvents: { handle: putEvents, requires: putPermissions },
} satisfies OperationTable<EventBridgeContext>;

/** Event buses without rules. The operator's command `targets` reads the events that it records. */
export const eventBridgeService = tableService<EventBridgeContext>(
  'EventBridge',
  eventBridgeOperations,
  unknownEventBridgeOperation,
);
