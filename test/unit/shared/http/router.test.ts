import { expect, test } from 'vitest';
import { ServiceError } from '../../../../shared/domain/errors.ts';
import { createRouter } from '../../../../shared/http/router.ts';

const route = createRouter({});

test.each(['/metrics', '/metrics/'])('the 404 of %s on AWS says where the metrics are', (path) => {
  const message =
    'This service runs on AWS, where CloudWatch has its metrics: only a service on one machine has /metrics.';
  expect(() => route('GET', path)).toThrow(new ServiceError('not_found', message));
});
