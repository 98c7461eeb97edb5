import type { InvokeWithResponseStreamCommandInput, LambdaClient } from '@aws-sdk/client-lambda';

export interface InputWithValue extends Omit<InvokeWithResponseStreamCommandInput, 'Payload'> {
  readonly PayloadValue: unknown;
}

/**
 * Lets a client write payload values as JSON. The middleware is a part of the client's chain, so a plug-in that takes
 * the place of the chain gets the value itself, and no text is quoted and read again within a process.
 */
export function withPayloadValues<Client extends Pick<LambdaClient, 'middlewareStack'>>(client: Client): Client {
  client.middlewareStack.add(
    (next) => (call) => {
      if (!('PayloadValue' in call.input)) return next(call);
      const { PayloadValue, ...input } = call.input;
      return next({ ...call, input: { ...input, Payload: JSON.stringify(PayloadValue) } });
    },
    { step: 'initialize', name: 'payloadValue' },
  );
  return client;
}
