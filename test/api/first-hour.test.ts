import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressProblem } from '../../bin/address-problem.ts';
import { readSettings } from '../../bin/settings.ts';
import { openDataDirectory } from '../../infra/embedded/disk/data-directory.ts';
import { addressUnusable } from '../../infra/embedded/http-api/address-unusable.ts';
import { runCommand } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { operator } from '../support/operator.ts';
import { type Deployed, Scene } from '../support/scene.ts';
import { COMMANDS } from './first-hour/commands.ts';
import { POLLER, REQUESTS } from './first-hour/requests.ts';

/*
 * The commonest mistakes of a first hour: what one types, and what one reads. A sentence names the field, the problem
 * and the mend.
 */

const BIG = `export default { name: 'Big', version: '0.0.1', run() { this.$emit({ text: 'x'.repeat(1_100_000) }); } };`;

const folder = mkdtempSync(join(tmpdir(), 'tributary-first-hour-'));
let scene: Scene;
let source: Deployed;
let disabled: Deployed;
beforeAll(async () => {
  scene = await Scene.open();
  source = await scene.source(POLLER, { configured_props: { url: 'https://a.example' } });
  disabled = await scene.source(
    `export default { name: 'Off', version: '0.0.1', props: { http: '$.interface.http' }, run() {} };`,
  );
  await scene.api.put(`/sources/${disabled.id}`, { active: false });
  writeFileSync(join(folder, 'poller.mjs'), POLLER);
  writeFileSync(join(folder, 'empty.json'), '{"version": 1}');
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Ids of a sentence become their kind: `dc_…`. */
const withoutIds = (text: string): string =>
  text.replace(/\b(dc|sc|wh|u|p|sub)_[0-9a-z]{8,}/g, '$1_…').replaceAll(scene.cloud.origin, 'ORIGIN');

describe('the API says', () => {
  test.each(REQUESTS)('$what', async ({ method, path, body, response, reads }) => {
    const named = (text: string) => text.replace('SOURCE', source.id).replace('DISABLED', disabled.id);
    const raw = body === undefined ? undefined : named(typeof body === 'string' ? body : JSON.stringify(body));
    const { status, body: refusal } = await scene.api.call(method, named(path), raw === undefined ? {} : { raw });
    expect(`${status} ${refusal.code}`).toBe(response);
    expect(withoutIds(refusal.error)).toBe(reads);
  });

  test.each([
    ['no key', null, 'Send your API key as "Authorization: Bearer <key>".'],
    [
      'a wrong key',
      'half-a-key',
      'This API key is not valid: check it for a typo or a missing end, or ask the operator for a new one.',
    ],
  ])('%s', async (_, key, reads) => {
    const { status, body } = await scene.api.as(key).get('/users/me');
    expect([status, body.code, body.error]).toEqual([401, 'unauthenticated', reads]);
  });

  test('a form instead of JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status, body } = await scene.api.post('/webhooks', undefined, { raw: 'url=x', headers });
    expect([status, body.error]).toEqual([
      415,
      'Send the body as JSON, with the header "Content-Type: application/json".',
    ]);
  });

  test('a request to the endpoint of a disabled source', async () => {
    const response = await fetch(disabled.endpoint);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: 'There is no endpoint at this address: check the address, and whether its source is active.',
    });
  });

  test('too large an event, on $errors', async () => {
    const { id } = await scene.source(BIG);
    await scene.api.post(`/sources/${id}/run`);
    const [error] = await scene.errorsOf(id);
    expect(error?.event.error).toMatchObject({
      code: 'event_too_large',
      message: 'An event may have at most 1048576 bytes of JSON; this one has 1100011.',
    });
  });

  test('a quota that is used up', async () => {
    const admin = operator(scene.cloud);
    const { id: user, api_key: key } = await admin<{ id: string; api_key: string }>('users create', {
      username: 'new',
      email: 'new@localhost',
    });
    await admin('users set-plan', { user, plan: 'free', invocations: '0' });
    const api = scene.api.as(key);
    const { body } = await api.post('/sources', { component_code: BIG });
    const { status, body: refused, headers } = await api.post(`/sources/${body.data.id}/run`);
    expect([status, refused.error]).toEqual([
      429,
      'The daily quota of the owner of this source, or the share of this source, is used up; it is renewed at 00:00 UTC.',
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('tributary says', () => {
  test.each(COMMANDS)('%s', async (line, exit, reads) => {
    const env = { TRIBUTARY_URL: scene.cloud.origin, TRIBUTARY_API_KEY: scene.cloud.key };
    const { code: ended, out, error } = await runCommand(line.split(' '), { env, cwd: folder });
    expect({ ended, out, error: withoutIds(error) }).toEqual({ ended: exit, out: '', error: `${reads}\n` });
  });

  test('sources list, without a service', async () => {
    const { code: ended, error } = await runCommand(['sources', 'list'], { cwd: folder });
    expect([ended, error]).toEqual([
      2,
      'No service is set and none runs here: run tributary login --url ADDRESS, or set TRIBUTARY_URL and TRIBUTARY_API_KEY.\n',
    ]);
  });

  test('sources list, at a port where nothing listens', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const { code: ended, error } = await runCommand(['sources', 'list', '--url', url, '--key', 'k']);
    expect([ended, error]).toEqual([
      3,
      `No connection to ${url}: connect ECONNREFUSED 127.0.0.1:${port}. Check the address, and that the service runs.\n`,
    ]);
  });
});

describe('npm start says', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT must be a port number, 0 to 65535.'],
    [{ API_KEY: 'short' }, 'API_KEY must have at least 20 characters.'],
    [{ ISOLATION: 'docker' }, 'ISOLATION must be sandbox, user or process.'],
  ])('%j', (variables, reads) => {
    expect(() => readSettings(variables)).toThrow(new Error(reads));
  });

  test('a second service on one data directory', async () => {
    const { dataDir } = scene.cloud;
    await expect(openDataDirectory(dataDir, 'interval')).rejects.toThrow(
      `Another process is using the data directory ${dataDir}: stop it, or set DATA_DIR to another directory.`,
    );
  });

  test.each([
    ['a taken port', 'EADDRINUSE', 3000, 'is taken'],
    ['a port for administrators', 'EACCES', 80, 'may not be used by this process'],
  ])('%s', (_, code, port, problem) => {
    const error = Object.assign(new Error('listen'), { code });
    const unusable = addressUnusable(error, { api: 'api', host: '127.0.0.1', port });
    expect(unusable && addressProblem(unusable)).toBe(
      `The port ${port} of 127.0.0.1 ${problem}: set PORT to another port.`,
    );
  });
});
