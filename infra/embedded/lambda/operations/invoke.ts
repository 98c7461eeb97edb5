import type { Input, Output } from '../../call.ts';
import { chainOfCall } from '../chain.ts';
import type { LambdaContext } from '../context.ts';
import { hostIn, invocationTypeIn, tenantIn } from '../invoke-input.ts';
import { answerBytes, blob, eventIn, MAX_ASYNC_REQUEST_BYTES, MAX_REQUEST_BYTES } from '../payload.ts';

export async function invoke(input: Input, context: LambdaContext): Promise<Output> {
  const host = hostIn(input, context);
  const type = invocationTypeIn(input);
  const tenantId = tenantIn(input);
  const limit = type === 'Event' ? MAX_ASYNC_REQUEST_BYTES : MAX_REQUEST_BYTES;
  const event = eventIn(input['Payload'], { limit, type });
  const chain = chainOfCall(input);
  if (type === 'DryRun') return { StatusCode: 204 };
  if (type === 'Event') {
    const functionName = host.spec.name;
    await context.asynchronous.accept({ functionName, payload: JSON.stringify(event), tenantId, chain });
    return { StatusCode: 202 };
  }
  const outcome = await host.invoke({ event, tenantId, chain });
  const answer: Output = { StatusCode: 200, ExecutedVersion: '$LATEST' };
  const payload = outcome.ok ? answerBytes(outcome.value) : outcome.error;
  if (payload instanceof Uint8Array) answer['Payload'] = blob(payload);
  else {
    answer['FunctionError'] = 'Unhandled';
    answer['Payload'] = blob(Buffer.from(JSON.stringify(payload)));
  }
  return answer;
}
