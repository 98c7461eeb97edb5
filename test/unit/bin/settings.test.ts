import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultStorageOf } from '../../../infra/embedded/disk/default-storage.ts';
import { readSettings, SettingsError } from '../../../bin/settings.ts';

describe('without settings', () => {
  test('the service is on port 3000 of this machine alone, its data in .data', () => {
    expect(readSettings({})).toMatchObject({
      port: 3000,
      ingressPort: 3001,
      host: '127.0.0.1',
      dataDir: '.data',
      sync: 'interval',
      apiKey: undefined,
      publicUrl: undefined,
    });
  });

  test('the functions log from warnings on', () => {
    expect(readSettings({}).stage.logLevel).toBe('warn');
    expect(readSettings({ LOG_LEVEL: 'info' }).stage.logLevel).toBe('info');
  });

  test('webhooks may go to this machine, since people try things out there', () => {
    expect(readSettings({}).stage.allowPrivateNetwork).toBe(true);
    expect(readSettings({ ALLOW_PRIVATE_NETWORK: '0' }).stage.allowPrivateNetwork).toBe(false);
  });

  test('and where they may not, blocks that are listed are open all the same', () => {
    expect(readSettings({}).stage.networkAllowList).toEqual([]);
    expect(readSettings({ NETWORK_ALLOW_LIST: '10.1.0.0/16, fd00::/8' }).stage.networkAllowList).toEqual([
      '10.1.0.0/16',
      'fd00::/8',
    ]);
  });

  test('the quotas of a free user are far beyond what one machine can run', () => {
    const { freeInvocations, freeComputeMs } = readSettings({}).stage.limits;
    expect(freeInvocations).toBeGreaterThanOrEqual(24 * 60 * 60 * 10_000);
    expect(freeComputeMs).toBeGreaterThanOrEqual(24 * 60 * 60 * 1_000 * 1_000);
  });

  test('and with empty ones it is the same', () => {
    expect(readSettings({ PORT: '', API_KEY: '', PUBLIC_URL: '' })).toEqual(readSettings({}));
  });
});

describe('the bytes stored for each user', () => {
  const limitOf = (variables: Record<string, string>, size?: number) =>
    readSettings(variables, () => size).stage.limits.storedBytes;

  test('are those of the file system, unless they are set', () => {
    expect(limitOf({}, 5_000_000_000)).toBe(5_000_000_000);
    expect(limitOf({ STORED_BYTES: '1000' }, 5_000_000_000)).toBe(1_000);
    expect(limitOf({ STORED_BYTES: '' })).toBe(20 * 1_024 ** 3);
  });

  test('are a tenth of the file system of a directory that may not exist yet, at least 2 GB', () => {
    const { blocks, bsize } = statfsSync(tmpdir());
    const tenth = Math.max(Math.floor((blocks * bsize) / 10), 2_000_000_000);
    expect(defaultStorageOf(join(tmpdir(), 'none', 'data'))).toBe(tenth);
    expect(defaultStorageOf('/proc')).toBe(2_000_000_000);
  });
});

describe('the port of the ingress', () => {
  test('is the one after the port of the API', () => {
    expect(readSettings({ PORT: '8080' }).ingressPort).toBe(8081);
  });

  test('is the one that is set; 0 takes a free one', () => {
    expect(readSettings({ PORT: '8080', INGRESS_PORT: '9090' }).ingressPort).toBe(9090);
    expect(readSettings({ INGRESS_PORT: '0' }).ingressPort).toBe(0);
  });

  test('is free where the port of the API is free', () => {
    expect(readSettings({ PORT: '0' }).ingressPort).toBe(0);
  });
});

test('a public address loses the slash at its end', () => {
  expect(readSettings({ PUBLIC_API_URL: 'https://api.example/' }).publicApiUrl).toBe('https://api.example');
  expect(readSettings({ PUBLIC_URL: 'https://events.example/base/' }).publicUrl).toBe('https://events.example/base');
});

test.each(['https://*.hooks.example.com', 'http://*.localhost:3001'])('%s gives each endpoint an origin', (url) => {
  expect(readSettings({ PUBLIC_URL: `${url}/` }).publicUrl).toBe(url);
});

test.each([
  [{ PORT: '3000x' }, 'PORT must be a port number, 0 to 65535.'],
  [{ PORT: '65536' }, 'PORT must be a port number, 0 to 65535.'],
  [{ PORT: '-1' }, 'PORT must be a port number, 0 to 65535.'],
  [{ INGRESS_PORT: 'x' }, 'INGRESS_PORT must be a port number, 0 to 65535.'],
  [{ PORT: '8080', INGRESS_PORT: '8080' }, 'INGRESS_PORT must differ from PORT.'],
  [{ PORT: '65535' }, 'INGRESS_PORT must be set, because there is no port after PORT 65535.'],
  [{ API_KEY: 'x'.repeat(19) }, 'API_KEY must have at least 20 characters.'],
  [{ API_KEY: `${'x'.repeat(20)} y` }, 'API_KEY must be printable ASCII without spaces.'],
  [{ ALLOW_PRIVATE_NETWORK: 'true' }, 'ALLOW_PRIVATE_NETWORK must be 0 or 1.'],
  [{ NETWORK_ALLOW_LIST: '10.0.0.0/8,10.1' }, 'NETWORK_ALLOW_LIST must be CIDR blocks separated by commas.'],
  [{ PUBLIC_URL: 'events.example' }, 'PUBLIC_URL must be an http or https URL.'],
  [{ PUBLIC_URL: 'ftp://events.example' }, 'PUBLIC_URL must be an http or https URL.'],
  ...['events.example', 'ftp://events.example', 'https://events.example/base', 'https://a@events.example'].map(
    (PUBLIC_API_URL): [Record<string, string>, string] => [
      { PUBLIC_API_URL },
      'PUBLIC_API_URL must be the origin of an http or https URL, such as https://tributary.example.com.',
    ],
  ),
  ...[
    'https://*.hooks.example.com/base',
    'https://hooks.*.example.com',
    'https://my-*.example.com',
    'https://*.*.example.com',
    'https://me@*.example.com',
    'https://hooks.example.com/*',
    'https://*',
  ].map((PUBLIC_URL): [Record<string, string>, string] => [
    { PUBLIC_URL },
    'PUBLIC_URL may have * only as the first label of its host, without a path, such as https://*.hooks.example.com.',
  ]),
  ...['https://hooks.example.com', 'https://api.hooks.example.com'].map(
    (PUBLIC_API_URL): [Record<string, string>, string] => [
      { PUBLIC_URL: 'https://*.hooks.example.com', PUBLIC_API_URL },
      'PUBLIC_API_URL must',
    ],
  ),
  [
    { PUBLIC_URL: 'https://events.example/base', PUBLIC_API_URL: 'https://events.example' },
    'PUBLIC_API_URL must differ from PUBLIC_URL in its host or its port.',
  ],
  [{ NPM_REGISTRY: 'npm' }, 'NPM_REGISTRY must be an http or https URL.'],
  [{ SYNC: 'sometimes' }, 'SYNC must be interval or always.'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be debug, info, warn or error.'],
  [{ COMPONENT_HOSTS: '{' }, 'COMPONENT_HOSTS must be a JSON object: {"host": "https://origin"}.'],
  [{ RUNNER_HOSTS: '{"a":"b"}' }, 'RUNNER_HOSTS must be a JSON object: {"host": "host:port"}.'],
])('%j is refused in one sentence', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(SettingsError);
  expect(() => readSettings(environment)).toThrow(sentence);
});

test('a key of 20 characters and port 0 are taken', () => {
  expect(readSettings({ API_KEY: 'x'.repeat(20), PORT: '0' })).toMatchObject({
    apiKey: 'x'.repeat(20),
    port: 0,
  });
});
