import type { Input, Output } from '../../call.ts';
import type { LambdaContext } from '../context.ts';
import { mappingOutput } from '../mapping-input.ts';

export const getEventSourceMapping = (input: Input, context: LambdaContext): Promise<Output> =>
  Promise.resolve(mappingOutput(input, context));
