import type { Input, Output } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import type { LambdaContext } from '../context.ts';
import { mappingIdIn, mappingOutput } from '../mapping-input.ts';

/** Enables or disables a mapping. The template sets everything else. */
export async function updateEventSourceMapping(input: Input, context: LambdaContext): Promise<Output> {
  const { UUID: _id, Enabled, ...others } = input;
  mappingOutput(input, context);
  const [other] = Object.entries(others).filter(([, value]) => value !== undefined);
  if (other || typeof Enabled !== 'boolean')
    throw validationException(`${other?.[0] ?? 'An update without Enabled'} is not supported here.`);
  await context.mappings.setEnabled(mappingIdIn(input), Enabled);
  return mappingOutput(input, context);
}
