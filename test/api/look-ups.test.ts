import { expect, onTestFinished, test } from 'vitest';
import { apiClient } from '../support/api-client.ts';
import { startTestCloud } from '../support/cloud.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

test('look-ups by an id alone are refused with 429 and Retry-After when a user makes too many, and other users go on', async () => {
  const cloud = await startTestCloud();
  onTestFinished(() => cloud.stop());
  const api = await apiClient(cloud.base, cloud.key);
  const [theirs, others] = [api.as((await aUser(cloud)).key), api.as((await aUser(cloud)).key)];
  for (const path of ['/users/me/events/1795798332005-1', '/users/me/deliveries/dl_000000000000000000000000']) {
    const refused = await until(`${path} is refused`, async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => theirs.get(path)));
      return responses.find(({ status }) => status === 429);
    });
    expect(refused.body).toMatchObject({
      code: 'rate_exceeded',
      error: expect.stringContaining('streams and webhooks of a user in 10 s') as string,
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await others.get(path)).status).not.toBe(429);
    expect((await theirs.get('/users/me/sources')).status).toBe(200);
  }
});
