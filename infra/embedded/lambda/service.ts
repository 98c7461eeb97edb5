import { type OperationTable, tableService } from '../operation.ts';
import type { LambdaContext } from './context.ts';
import { unknownLambdaOperation } from './errors.ts';
import { getEventSourceMapping } from './operations/get-event-source-mapping.ts';
import { invoke } from './operations/invoke.ts';
import { invokeWithResponseStream } from './operations/invoke-with-response-stream.ts';
import { updateEventSourceMapping } from './operations/update-event-source-mapping.ts';
import { invokePermission, mappingPermission } from './permissions.ts';

export const lambdaOperations = {
  GetEventSourceMapping: {
    handle: getEventSourceMapping,
    requires: mappingPermission('lambda:GetEventSourceMapping'),
  },
  Invoke: { handle: invoke, requires: invokePermission },
  InvokeWithResponseStream: { handle: invokeWithResponseStream, requires: invokePermission },
  UpdateEventSourceMapping: {
    handle: updateEventSourceMapping,
    requires: mappingPermission('lambda:UpdateEventSourceMapping'),
  },
} satisfies OperationTable<LambdaContext>;

/** The Lambda API over the functions of the template. */
export const lambdaService = tableService<LambdaContext>('Lambda', lambdaOperations, unknownLambdaOperation);
