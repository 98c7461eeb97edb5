import { ServiceError } from '../errors.ts';
import type { Scope } from './api-key.ts';

export const INVALID_KEY =
  'This API key is not valid: check it for a typo or a missing end, or ask the operator for a new one.';

const SUSPENDED =
  'The operator has suspended this user: runs and deliveries have stopped. Events that arrive are kept within limits. Ask the operator.';

export const suspendedUser = () => new ServiceError('suspended', SUSPENDED);

const refusedKey = (message: string) => new ServiceError('unauthenticated', message);
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const invalidKey = () => refusedKey(INVALID_KEY);

/** A sender learns only of a key that it holds. */
export const replacedKey = (replacedAt: number) =>
  refusedKey(
    `A newer API key replaced this one on ${dayOf(replacedAt)}: use the newer key, or ask the operator for one.`,
  );

export const expiredKey = (validUntil: number) =>
  refusedKey(`This API key expired on ${dayOf(validUntil)}: make a new one with a key that has the scope manage.`);

/** `refused` is the subject of the sentence. */
export const missingScope = (scope: Scope, refused = 'This operation') =>
  new ServiceError('missing_scope', `${refused} needs the scope ${scope}, which your API key lacks.`, {
    details: [{ path: 'scope', message: `${scope} is missing` }],
  });

export const beyondPortal = () =>
  new ServiceError('missing_scope', 'A portal link shows and changes one webhook, and nothing else.');
