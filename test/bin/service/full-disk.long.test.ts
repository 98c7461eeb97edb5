import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { type SmallDisk, smallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';

const mounts = (await smallDisk(1).then((disk) => (disk?.stop(), disk !== undefined))) ? test : test.skip;

let service: Service | undefined;
afterEach(async () => {
  if (service) await stopService(service);
});

async function startOn(megabytes: number): Promise<{ small: SmallDisk; service: Service }> {
  const small = (await smallDisk(megabytes)) ?? expect.fail('There is no small disk.');
  onTestFinished(() => {
    small.stop();
  });
  const { within: wrapper } = small;
  service = await startService({
    dataDir: join(small.innerPath, 'data'),
    wrapper,
    env: { ISOLATION: 'process' },
  });
  return { small, service };
}

const ECHO = `export default { name: 'Echo', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body); } };`;

mounts('a full disk refuses new data in words, serves reads and deletes, and takes data again', async () => {
  const { small, service } = await startOn(160);
  const api = await apiClient(service.base, TEST_KEY);
  const { body } = await api.post('/sources', { component_code: ECHO });
  const id = body.data.id as string;
  const endpoint = body.data.configured_props.http.endpoint_url as string;
  const send = (n: number) => fetch(endpoint, { method: 'POST', body: JSON.stringify({ n }) });
  const events = async () => (await api.get(`/sources/${id}/event_summaries`)).body.data.length as number;
  expect((await send(1)).status).toBe(200);
  await until('the event', async () => (await events()) === 1);

  small.fill(6 << 20);
  const refused = await until('the refusal', async () => {
    const response = await send(2);
    return response.status === 503 && response;
  });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await refused.json()).toMatchObject({ code: 'unavailable', error: expect.stringContaining('full') });
  const health = await (await fetch(`${service.origin}/healthz`)).json();
  expect(health).toMatchObject({ status: 'unavailable', reason: expect.stringContaining('5 %') });
  expect((await api.post('/sources', { component_code: ECHO })).status).toBe(503);
  expect((await api.get(`/sources/${id}`)).status).toBe(200);
  expect((await api.put(`/sources/${id}`, { active: false })).status).toBe(200);
  expect((await api.delete(`/sources/${id}`)).status).toBe(204);

  small.fill(0);
  expect((await api.get('/users/me')).status).toBe(200);
  small.free();
  await until('health', async () => (await fetch(`${service.origin}/healthz`)).status === 200);
  expect((await api.post('/sources', { component_code: ECHO })).status).toBe(200);
});

mounts('a stop on a full disk ends with one sentence and code 1', async () => {
  const { small, service } = await startOn(48);
  const api = await apiClient(service.base, TEST_KEY);
  const url = (n: number) => `http://127.0.0.1:9/${String(n).repeat(1_000)}`;
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1)
    ids.push((await api.post('/webhooks', undefined, { query: { url: url(n) } })).body.data.id);
  small.fill(0);
  // Together more than the stop frees by removing its files.
  let n = 0;
  const refused = await until('refused writes', async () => {
    const responses = await Promise.all(ids.map((id) => api.put(`/webhooks/${id}`, { url: url((n += 1)) })));
    return responses.every(({ status }) => status === 503) && responses;
  });
  expect(refused[0]?.body).toMatchObject({ code: 'unavailable', error: expect.stringContaining('no room') });
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(1);
  expect(service.output().trim().split('\n').at(-1)).toMatch(
    /^The service stopped, but could not write .*: the disk is full\. .*\.$/,
  );
});

mounts('a log on a full disk ends nothing, and goes on when there is room', async () => {
  const small = (await smallDisk(4)) ?? expect.fail('There is no small disk.');
  const log = openSync(join(small.path, 'log'), 'a');
  small.fill(0);
  const program = `
    import { outputOf } from './bin/service-output.ts';
    const print = outputOf(process.stderr);
    print('lost\\n'.repeat(3000));
    let n = 0;
    setInterval(() => { print(\`line \${n += 1}\\n\`); }, 20);
    process.stdin.once('data', () => process.exit(7)).resume();`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['pipe', 'ignore', log],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    closeSync(log);
    small.stop();
  });
  const before = readFileSync(join(small.path, 'log'), 'utf8').length;
  expect(await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1_500, 'runs'))])).toBe('runs');
  small.free();
  await until('a line', () => readFileSync(join(small.path, 'log'), 'utf8').slice(before).includes('line '));
  child.stdin?.write('end');
  expect(await ended).toBe(7);
});
