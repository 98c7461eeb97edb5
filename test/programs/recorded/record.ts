import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { NAME_ERROR, RecordingName } from './unpack.ts';
import { programArguments } from '../../support/program-arguments.ts';
import { startService, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { apiClient } from '../../support/api-client.ts';
import { RecordedReceiver, urlOf } from './recorded-receiver.ts';
import { LATER_MS } from './later.ts';

/**
 * `npm run record-data -- NAME`: records a data directory with work of every kind under way, as `kill -9` leaves it, in
 * `test/programs/recorded/NAME.tar.gz` and `NAME.json`. A change of the format of the data directory needs a new
 * recording; the earlier ones stay.
 */

const ECHO = `export default { name: 'Echo', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body, { delivery_ts: body.due }); } };`;
const SLOW = `export default { name: 'Slow', version: '0.0.1', props: { http: '$.interface.http' },
  async run({ body }) { await new Promise((resolve) => setTimeout(resolve, 2500)); this.$emit(body); } };`;
const timer = (seconds: number) => `export default { name: 'Timer ${seconds}', version: '0.0.1',
  props: { timer: { type: '$.interface.timer', default: { intervalSeconds: ${seconds} } } }, run() { this.$emit({ tick: true }); } };`;

const {
  names: [name],
} = programArguments({
  usage: 'npm run record-data -- NAME',
  does: 'Records a data directory in test/programs/recorded/NAME.tar.gz and NAME.json.',
  names: z.tuple([RecordingName], NAME_ERROR),
  options: {},
});
const here = import.meta.dirname;
const dataDir = mkdtempSync(join(tmpdir(), 'tributary-recording-'));
const receiver = await RecordedReceiver.start({ failing: 500, recovering: 'hang' });
const service = await startService({
  dataDir,
  env: { ISOLATION: 'process' },
  nodeArguments: ['--import', join(here, 'ten-years-later.mjs')],
});
try {
  const api = await apiClient(service.base, TEST_KEY);
  const source = async (component_code: string) => {
    const { body, text } = await api.post('/sources', { component_code });
    if (!body?.data?.id) throw new Error(text);
    return body.data as { id: string; configured_props: { http?: { endpoint_url: string } } };
  };
  const webhook = async (hook: string, emitter: string) => {
    const { body } = await api.post('/webhooks', undefined, { query: { url: urlOf(hook) } });
    const id = body.data.id as string;
    await api.post('/subscriptions', undefined, { query: { emitter_id: emitter, listener_id: id } });
    return id;
  };
  const send = (
    { configured_props: { http } }: { configured_props: { http?: { endpoint_url: string } } },
    body: unknown,
  ) =>
    fetch(http?.endpoint_url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const deliveries = async (id: string, status: string) =>
    ((await api.get(`/webhooks/${id}/deliveries`)).body.data as { status: string }[]).filter(
      (each) => each.status === status,
    );

  const [echo, held, recovering, slow] = [
    await source(ECHO),
    await source(ECHO),
    await source(ECHO),
    await source(SLOW),
  ];
  const [hourly, often] = [await source(timer(3_600)), await source(timer(15))];
  const ids = {
    failing: await webhook('failing', echo.id),
    held: await webhook('held', held.id),
    recovering: await webhook('recovering', recovering.id),
    echo: echo.id,
    slow: slow.id,
    hourly: hourly.id,
    often: often.id,
  };
  await api.put(`/webhooks/${ids.held}`, { active: false });
  await api.put(`/webhooks/${ids.recovering}`, { active: false });
  const now = Date.now() + LATER_MS;
  await send(echo, { kept: 'retry' });
  await send(echo, { kept: 'delayed', due: now + 3_600_000 });
  await send(held, { kept: 'held' });
  await send(recovering, { kept: 'recovery', n: 1 });
  await until('a retry', async () => (await deliveries(ids.failing, 'retrying')).length === 1);
  await until('a held delivery', async () => (await deliveries(ids.held, 'held')).length === 1);
  await until('a delivery to recover', async () => (await deliveries(ids.recovering, 'held')).length === 1);
  await until('a tick', async () => (await api.get(`/sources/${often.id}/event_summaries`)).body.data.length > 0);
  await api.put(`/webhooks/${ids.recovering}`, { active: true });
  await api.post(`/webhooks/${ids.recovering}/recover`, { since: now - 60_000 });
  await until('the attempt of the recovery', () => receiver.bodiesOf('recovering').length === 1);
  await send(slow, { kept: 'trigger' });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  service.process.kill('SIGKILL');
  await service.ended;
  writeFileSync(join(here, `${name}.json`), `${JSON.stringify({ at: Date.now() + LATER_MS, ids }, undefined, 2)}\n`);
  execFileSync('tar', [
    '--create',
    '--gzip',
    '--file',
    join(here, `${name}.tar.gz`),
    '--owner=0',
    '--group=0',
    '--exclude=assembly',
    '--exclude=LOCK',
    '--exclude=LOG*',
    '--exclude=*.sock',
    '--directory',
    dataDir,
    '.',
  ]);
} finally {
  service.process.kill('SIGKILL');
  await receiver.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
