import type { Input, Output } from '../../call.ts';
import type { LambdaContext } from '../context.ts';
import { checkInvocationType, hostIn, tenantIn } from '../invoke-input.ts';
import { responseBytes, blob, eventOf } from '../payload.ts';

export async function invoke(input: Input, context: LambdaContext): Promise<Output> {
  const host = hostIn(input, context);
  checkInvocationType(input);
  const tenantId = tenantIn(input);
  const event = eventOf(input);
  const outcome = await host.invoke({ event, tenantId });
  const response: Output = { StatusCode: 200, ExecutedVersion: '$LATEST' };
  const payload = outcome.ok ? responseBytes(outcome.value) : outcome.error;
  if (payload instanceof Uint8Array) response['Payload'] = blob(payload);
  else {
    response['FunctionError'] = 'Unhandled';
    response['Payload'] = blob(Buffer.from(JSON.stringify(payload)));
  }
  return response;
}
