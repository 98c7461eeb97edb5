import type { Input, Output } from '../call.ts';
import { validationException } from '../common-errors.ts';
import { functionArn } from '../template/resource-type.ts';
import type { LambdaContext } from './context.ts';
import { mappingNotFound } from './errors.ts';
import { functionNameOf } from './function-spec.ts';

export function mappingIdIn({ UUID }: Input): string {
  if (typeof UUID === 'string' && UUID !== '') return UUID;
  throw validationException(
    "1 validation error detected: Value at 'uUID' failed to satisfy constraint: Member must not be null",
  );
}

/**
 * The configuration of a mapping, after a call. AWS shows the states `Enabling` and `Disabling` for some seconds.
 * https://docs.aws.amazon.com/lambda/latest/api/API_EventSourceMappingConfiguration.html
 */
export function mappingOutput(input: Input, { mappings }: LambdaContext): Output {
  const UUID = mappingIdIn(input);
  const found = mappings.find(UUID);
  if (!found) throw mappingNotFound();
  return {
    UUID,
    EventSourceArn: found.queueArn,
    FunctionArn: functionArn(functionNameOf(found.functionName)),
    State: mappings.isEnabled(UUID) ? 'Enabled' : 'Disabled',
  };
}
