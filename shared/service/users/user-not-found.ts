import { ServiceError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';

export const userNotFound = (id: UserId): ServiceError =>
  new ServiceError('not_found', 'not_found', `There is no user ${id}.`);
