import type { EmbeddedService, Input, Output, RequiredPermission } from '../call.ts';
import { operationNamed, type OperationTable } from '../operation.ts';
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
export class LambdaService implements EmbeddedService {
  readonly id = 'Lambda';
  readonly #context: LambdaContext;

  constructor(context: LambdaContext) {
    this.#context = context;
  }

  requiredPermissions(operation: string, input: Input): readonly RequiredPermission[] {
    return operationNamed(lambdaOperations, operation, unknownLambdaOperation).requires(input);
  }

  call(operation: string, input: Input): Promise<Output> {
    return operationNamed(lambdaOperations, operation, unknownLambdaOperation).handle(input, this.#context);
  }
}
