import { ServiceError } from '../domain/errors.ts';

export const INVALID_KEY =
  'This API key is not valid: check it for a typo or a missing end, or ask the operator for a new one.';

export const SUSPENDED =
  'The operator has suspended this user: runs and deliveries have stopped. Events that arrive are kept within limits. Ask the operator.';

export const suspendedUser = () => new ServiceError('forbidden', 'suspended', SUSPENDED);

export const invalidKey = () => new ServiceError('unauthenticated', 'unauthenticated', INVALID_KEY);

/** A sender learns only of a key that it holds. */
export const replacedKey = (replacedAt: number) =>
  new ServiceError(
    'unauthenticated',
    'unauthenticated',
    `A newer API key replaced this one on ${new Date(replacedAt).toISOString().slice(0, 10)}: use the newer key, or ask the operator for one.`,
  );
