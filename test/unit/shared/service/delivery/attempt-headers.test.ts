import { expect, test } from 'vitest';
import { SourceId } from '../../../../../shared/domain/id.ts';
import { attemptHeaders } from '../../../../../shared/service/delivery/http-target.ts';

test('own headers of a webhook are sent, and replace none of the service', () => {
  const event = { emitId: 'emit-1', emitterId: SourceId.parse('dc_0123456789'), stream: 'default' };
  const own = { authorization: 'Bearer mine', 'webhook-id': 'other', 'user-agent': 'other' };
  const headers = attemptHeaders({ headers: own, secrets: [] }, event, { body: '{}', now: 0 });
  expect(headers).toMatchObject({ authorization: 'Bearer mine', 'webhook-id': 'emit-1' });
  expect(headers['user-agent']).toMatch(/^Tributary\//);
});
