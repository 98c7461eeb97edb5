import type { Input } from '../call.ts';
import { validationException } from '../common-errors.ts';
import { functionArn } from '../template/resource-type.ts';
import type { LambdaContext } from './context.ts';
import { functionNotFound } from './errors.ts';
import type { FunctionHost } from './function-host.ts';
import { functionNameOf } from './function-spec.ts';

/** The caller always waits for the result. */
export function checkInvocationType({ InvocationType = 'RequestResponse' }: Input): void {
  if (InvocationType === 'RequestResponse') return;
  throw validationException(`The invocation type ${String(InvocationType)} is not supported here.`);
}

export function functionNameIn(input: Input): string {
  const name = input['FunctionName'];
  if (typeof name === 'string' && name !== '') return functionNameOf(name);
  throw validationException(
    "1 validation error detected: Value at 'functionName' failed to satisfy constraint: Member must not be null",
  );
}

/** The host of the function that the input names. */
export function hostIn(input: Input, { hosts }: LambdaContext): FunctionHost {
  const name = functionNameIn(input);
  const host = hosts.get(name);
  if (!host) throw functionNotFound(functionArn(name));
  return host;
}

export function tenantIn(input: Input): string | undefined {
  const tenant = input['TenantId'];
  if (tenant === undefined) return undefined;
  if (typeof tenant === 'string' && /^[a-zA-Z0-9._:/=+\-@ ]{1,256}$/.test(tenant)) return tenant;
  throw validationException("1 validation error detected: Value at 'tenantId' failed to satisfy constraint");
}
