import type { LambdaClient } from '@aws-sdk/client-lambda';
import type * as z from 'zod';
import { ServiceError } from '../../domain/errors.ts';
import {
  ClientCheck,
  ConfirmResult,
  DoneResult,
  ExchangeResult,
  IdleResult,
  type OAuthRequest,
  type RequestOf,
  RevocationResult,
} from '../../domain/oauth/oauth-request.ts';
import { DiscoverResult, PersonResult, SignOutResult } from '../../domain/person/identity-request.ts';
import { createOAuthInvoker, mayPass } from './invoke-oauth.ts';

const tooSlow = (cause: Error) =>
  new ServiceError('unavailable', 'The provider did not answer in time. Start again.', {
    retryAfterSeconds: 5,
    cause,
  });

export type OAuthFunction = ReturnType<typeof createOAuthFunction>;

/** Longer than a token request and an identity request together; shorter than a request to the API. */
const WAIT_MS = 26_000;
/** Longer than the limit of a revocation and the start of the function. */
const REVOCATION_WAIT_MS = 10_000;

/** Asks the function that decrypts the secrets of clients. It names no secret in its results. */
export function createOAuthFunction(lambda: () => LambdaClient, functionName: string) {
  const send = createOAuthInvoker(lambda, functionName);

  const invoke = <Result extends z.ZodType>(request: OAuthRequest, result: Result, waitMs = WAIT_MS) =>
    send(request, result, waitMs).catch((error: unknown) => {
      throw mayPass(error) ? tooSlow(error) : error;
    });

  return {
    exchange: (request: Omit<RequestOf<'exchange'>, 'kind'>) =>
      invoke({ kind: 'exchange', ...request }, ExchangeResult),
    confirm: (request: Omit<RequestOf<'confirm'>, 'kind'>) => invoke({ kind: 'confirm', ...request }, ConfirmResult),
    drop: ({ attemptId, stateHash }: Omit<RequestOf<'drop'>, 'kind'>) =>
      invoke({ kind: 'drop', attemptId, stateHash }, DoneResult),
    renewIdle: (request: Omit<RequestOf<'renew-idle'>, 'kind'>) =>
      invoke({ kind: 'renew-idle', ...request }, IdleResult),
    revoke: (request: Omit<RequestOf<'revoke'>, 'kind'>) =>
      invoke({ kind: 'revoke', ...request }, RevocationResult, REVOCATION_WAIT_MS),
    checkClient: (request: Omit<RequestOf<'check-client'>, 'kind'>) =>
      invoke({ kind: 'check-client', ...request }, ClientCheck),
    discover: (issuer: string) => invoke({ kind: 'discover', issuer }, DiscoverResult),
    identify: (request: Omit<RequestOf<'identify'>, 'kind'>) => invoke({ kind: 'identify', ...request }, PersonResult),
    confirmPerson: (request: Omit<RequestOf<'confirm-person'>, 'kind'>) =>
      invoke({ kind: 'confirm-person', ...request }, PersonResult),
    signOut: (request: Omit<RequestOf<'sign-out'>, 'kind'>) => invoke({ kind: 'sign-out', ...request }, SignOutResult),
  };
}
