import { expect, onTestFinished, test } from 'vitest';
import { apiClient } from '../support/api-client.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { startTestCloud } from '../support/cloud.ts';
import { ECHO } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

test("requests above a stage's rate are refused with 429 and Retry-After, other sources go on, and one $errors event a day says so", async () => {
  const cloud = await startTestCloud({
    assembly: assemblyWith({ limits: { sourceRequestRate: 2, userRequestRate: 1_000 } }),
  });
  onTestFinished(() => cloud.stop());
  const api = await apiClient(cloud.base, cloud.key);
  const theirs = api.as((await aUser(cloud)).key);
  const aSource = async () => (await theirs.post('/sources', { component_code: ECHO })).body.data;
  const source = await aSource();
  const send = ({ configured_props: { http } }: { configured_props: { http: { endpoint_url: string } } }) =>
    fetch(http.endpoint_url, { method: 'POST', body: '{}' });
  const refused = await until('the endpoint refuses', async () => {
    const response = await send(source);
    return response.status === 429 && response;
  });
  const seconds = Number(refused.headers.get('retry-after'));
  expect(await refused.json()).toMatchObject({
    code: 'rate_exceeded',
    error: expect.stringContaining('limits.sourceRequestRate') as string,
  });
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(10);
  expect((await send(await aSource())).status).toBe(200);
  const [error] = await until('the source says so', async () => {
    const { body } = await theirs.get(`/sources/${source.id}/event_summaries`, { event_name: '$errors' });
    return body.data.length > 0 && (body.data as { event: { error: { code: string } } }[]);
  });
  expect(error?.event.error.code).toBe('rate_exceeded');
});
