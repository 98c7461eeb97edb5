import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testAssembly } from '../support/cloud.ts';
import { type DocRequest, filled, isShown, requestsIn } from '../support/doc-requests.ts';
import { freePort } from '../support/free-port.ts';
import { NO_RETRY } from '../support/receiver.ts';
import { ECHO, type Hook, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const pages = requestsIn('docs/debugging-a-delivery.md');
const BODY = 'what only the receiver may see';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({ assembly: testAssembly({ logLevel: 'info' }) });
});
afterAll(() => scene.close());

interface Failure {
  hook: Hook;
  source: { id: string; endpoint: string };
  values: Map<string, string>;
}

/** A source that has emitted one event, and a webhook whose first request goes wrong. */
async function failed(response: Hook['receiver']['respond'], more: { url?: string } = {}): Promise<Failure> {
  const [source, hook] = [await scene.source(ECHO), await scene.webhook()];
  if (more.url !== undefined) await scene.api.put(`/webhooks/${hook.id}`, { url: more.url });
  await scene.subscribe(source.id, hook.id);
  hook.receiver.respond = (index, request) => (index === 0 ? response(index, request) : { status: 200 });
  const since = Date.now();
  await scene.send(source.endpoint, { text: BODY });
  const [event] = await scene.eventsOf(source.id, 1);
  await until('the attempt is logged', async () => {
    const { data } = (await scene.api.get(`/webhooks/${hook.id}`)).body;
    return data.last_attempt !== null;
  });
  const values = new Map([
    ['webhook_id', hook.id],
    ['source_id', source.id],
    ['event_id', event?.id ?? expect.fail()],
    ['since', String(since)],
    ['new_url', hook.receiver.url],
  ]);
  return { hook, source, values };
}

/** Makes the request until the response is as the page shows it. A request that changes something is made once. */
async function walk({ method, path, body, shown }: DocRequest, values: Map<string, string>): Promise<void> {
  const ask = async () => {
    const sent = body === undefined ? undefined : (JSON.parse(filled(JSON.stringify(body), values)) as unknown);
    const [route = '', query = ''] = filled(path, values).split('?');
    const response = await scene.api.call(method, route, {
      query,
      ...(sent === undefined ? {} : { body: sent }),
    });
    return response.body as { data: unknown };
  };
  let response = await ask();
  if (method !== 'GET') {
    expect(isShown(shown, response.data, values), `${method} ${path}: ${JSON.stringify(response)}`).toBe(true);
    return;
  }
  await until(`${path} shows ${JSON.stringify(shown)}, not ${JSON.stringify(response)}`, async () => {
    if (isShown(shown, response.data, values)) return true;
    response = await ask();
    return false;
  });
}

const lines = () => scene.cloud.logs.map(({ text }) => text).filter((text) => text.startsWith('{"level"'));
const named = (message: string) =>
  lines()
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['message'] === message);

describe('docs/debugging-a-delivery.md', () => {
  test('walks four failures', () => {
    expect([...pages.values()].map(({ length }) => length)).toEqual([5, 4, 5, 3]);
  });

  test.each<[string, () => Promise<Failure>]>([
    ['The webhook answers 500', () => failed(() => ({ status: 500, headers: NO_RETRY, body: 'no space left' }))],
    [
      'The webhook answers 302',
      () => failed(() => ({ status: 302, headers: { ...NO_RETRY, location: 'http://127.0.0.1/' } })),
    ],
    ['The webhook answers 410', () => failed(() => ({ status: 410 }))],
    [
      'The webhook answers nothing',
      async () => {
        const url = `http://127.0.0.1:${await freePort()}/`;
        const failure = await failed(() => ({ status: 200 }), { url });
        return failure;
      },
    ],
  ])('%s', async (heading, prepare) => {
    const { values, hook } = await prepare();
    for (const [index, request] of (pages.get(heading) ?? expect.fail()).entries()) {
      // The receiver is repaired before the last step.
      if (request.path.endsWith('/test')) await scene.api.put(`/webhooks/${hook.id}`, { url: hook.receiver.url });
      await walk(request, values).catch((error: unknown) => {
        throw new Error(`Step ${index + 1}: ${String(error)}`);
      });
    }
  });
});

describe('docs/operations.md, "Why did an event not arrive?"', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-log-'));
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  const [, page = ''] = readFileSync('docs/operations.md', 'utf8').split('## Why did an event not arrive?\n');
  const [section = ''] = page.split('\n## ');
  const searches = [...section.matchAll(/^grep '(.*)' tributary\.log +# (.*)$/gm)];

  test('has three worked searches, which find the lines that they name', async () => {
    const { source, hook, values } = await failed(() => ({ status: 500, headers: NO_RETRY }));
    const { headers, body } = await scene.api.post(`/sources/${source.id}/run`, { n: 2 });
    const deliveries = `/webhooks/${hook.id}/deliveries`;
    const [delivery] = (await scene.api.get(deliveries, { event_id: values.get('event_id') ?? '' })).body.data;
    await scene.api.post(`${deliveries}/${delivery.id}/redeliver`);
    const attempts = () => named('attempt.ended').filter(({ event }) => event === values.get('event_id'));
    const [, second] = await until('both lines', () => attempts().length >= 2 && attempts());
    values.set('request_id', headers.get('x-request-id') ?? '');
    values.set('trigger', body.data.id);
    values.set('emit_id', String(second?.['emit']));
    values.set('batch', String(second?.['batch']));
    await until('the run and its batch are logged', () => {
      const isIn = (message: string, name: string) =>
        named(message).some((line) => String(Reflect.get(line, name)) === values.get(name));
      return isIn('run.ended', 'trigger') && isIn('batch.ended', 'batch');
    });
    const run = named('run.ended').find(({ trigger }) => trigger === values.get('trigger'));
    await until('the batch of the run is logged', () =>
      named('batch.ended').some(({ batch }) => batch === run?.['batch']),
    );
    const file = join(directory, 'tributary.log');
    writeFileSync(file, lines().join('\n'));
    expect(searches).toHaveLength(5);
    for (const [, pattern = '', expected = ''] of searches) {
      const found = execFileSync('grep', [filled(pattern, values), file], { encoding: 'utf8' });
      const messages = found
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        // A batch may have attempts of other events, too.
        .filter(({ event }) => event === undefined || event === values.get('event_id'))
        .map(({ message }) => String(message));
      expect(messages.sort(), pattern).toEqual(expected.split(' ').sort());
    }
  });

  test('names every field of the lines, which have no secret, key, body or path of an endpoint', async () => {
    const { source, hook } = await failed(() => ({ status: 200 }));
    await until('all kinds of lines', () =>
      ['request.served', 'ingress.served', 'run.ended', 'batch.ended', 'attempt.ended'].every(
        (message) => named(message).length > 0,
      ),
    );
    const trigger = expect.stringMatching(/^http-/);
    expect(named('ingress.served')).toContainEqual(expect.objectContaining({ emitter: source.id, trigger }));
    for (const line of lines()) {
      const { level, message, function: name, timestamp, ...fields } = JSON.parse(line) as Record<string, string>;
      expect([level, name, timestamp].every(Boolean)).toBe(true);
      const row = section.split('\n').find((text) => text.startsWith(`| \`${message}\``));
      if (level === 'info' && row === undefined) expect.fail(`${message} is not on the page`);
      if (row === undefined) continue;
      const unnamed = Object.keys(fields).filter((field) => !row.includes(`\`${field}\``));
      expect(unnamed, line).toEqual([]);
    }
    const [endpointId = ''] = new URL(source.endpoint).pathname.split('/').filter(Boolean);
    for (const secret of [BODY, endpointId, scene.cloud.key, hook.secret])
      expect(lines().filter((line) => line.includes(secret))).toEqual([]);
  });
});
