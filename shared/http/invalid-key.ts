import { ServiceError } from '../domain/errors.ts';

export const INVALID_KEY =
  'This API key is not valid: check it for a typo or a missing end, or ask the operator for a new one.';

export const invalidKey = () => new ServiceError('unauthenticated', 'unauthenticated', INVALID_KEY);
