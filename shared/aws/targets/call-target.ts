import { fromEnv } from '@aws-sdk/credential-provider-env';
import { constructStack } from '@smithy/core/client';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { domainOf } from '../../domain/target/target-kind.ts';
import { arnPartsOf, type TargetCall } from '../../domain/target/aws-target.ts';
import { withPlugin } from '../clients.ts';
import { apiError } from './api-error.ts';
import { type AssumeRole, createAssumeRole } from './assumed-role.ts';
import { signedRequest } from './signed-request.ts';

/** Makes the call of one attempt. Rejects with an error like the SDK's. */
export type CallTarget = (call: TargetCall, signal: AbortSignal) => Promise<unknown>;

/** Services by their names in a signature, each with its protocol: an SDK client would be loaded for one operation. */
const APIS = {
  events: { client: 'EventBridgeClient', target: 'AWSEvents', version: '1.1' },
  sqs: { client: 'SQSClient', target: 'AmazonSQS', version: '1.0' },
} as const;

interface Where {
  partition: string;
  region: string;
}

interface CallTargetOptions {
  addressOf?: (service: string, where: Where) => string;
  now(): number;
}

const addressOnAws = (service: string, { region, partition }: Where): string =>
  `https://${service}.${region}.${domainOf({ partition })}/`;

const Failure = z.object({ __type: z.string(), message: z.string().optional(), Message: z.string().optional() });

export function createCallTarget({ addressOf = addressOnAws, now }: CallTargetOptions): CallTarget {
  const credentials = fromEnv();
  const randomText = () => randomBytes(24).toString('base64url');
  const assumeRole: AssumeRole = createAssumeRole({ credentials, randomText, addressOf, now });

  async function send({ target, service, operation, input, externalId }: TargetCall, signal: AbortSignal) {
    const parts = arnPartsOf(target);
    if (!parts) throw apiError('InvalidArn', `${target.arn} is not the ARN of a target`, 400);
    const { target: prefix, version } = APIS[service];
    const role = target.roleArn === null ? undefined : { roleArn: target.roleArn, externalId, ...parts, signal };
    const { status, text } = await signedRequest({
      service,
      region: parts.region,
      address: addressOf(service, parts),
      credentials: await (role ? assumeRole(role) : credentials()),
      headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': `${prefix}.${operation}` },
      body: JSON.stringify(input),
      signal,
    });
    const output = jsonOf(text);
    if (status === 200) return output;
    const { data } = Failure.safeParse(output);
    const name = data?.__type.replace(/^.*#/, '') ?? 'Failure';
    throw apiError(name, data?.message ?? data?.Message ?? `The service answered ${status}`, status);
  }

  return async (call, signal) => {
    // The plugin replaces the request, as it does in SDK clients.
    const { middlewareStack } = withPlugin({ middlewareStack: constructStack<object, object>() });
    const handler = middlewareStack
      .concat(constructStack<object, object>())
      .resolve(async () => ({ response: undefined, output: Object(await send(call, signal)) }), {
        clientName: APIS[call.service].client,
        commandName: `${call.operation}Command`,
        ...{ __smithy_context: { abortSignal: signal } },
      });
    return (await handler({ input: call.input })).output;
  };
}

function jsonOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}
