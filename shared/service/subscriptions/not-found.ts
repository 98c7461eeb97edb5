import { ServiceError } from '../../domain/errors.ts';

export const notFound = (name: string): ServiceError =>
  new ServiceError('not_found', 'not_found', `There is no ${name}.`);
