import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { lazyAdminGroup } from '../../../../bin/lazy-admin-group.ts';
import { createProgram } from '../../../../bin/tributary/program.ts';
import { openApi } from '../../../../shared/http/openapi/openapi.ts';

const notInTests = () => Promise.reject(new Error('No service inside of a test'));
const tree = createProgram(
  {
    env: {},
    cwd: '/',
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    interrupted: () => new AbortController().signal,
  },
  { run: notInTests, addAdmin: lazyAdminGroup(notInTests) },
);
await tree.loadAll();

const Described = z.object({ description: z.string() });
const Operation = z.object({
  parameters: z.array(Described.extend({ name: z.string() })),
  requestBody: z.object({
    content: z.object({
      'application/json': z.object({ schema: z.object({ properties: z.record(z.string(), Described) }) }),
    }),
  }),
});
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(openApi('http://127.0.0.1:3000'));

/** The description of a field of a request, as the help of an option says it. */
function described(path: string, field: string): string {
  const { parameters, requestBody } = Operation.parse(paths[path]?.['post']);
  const { properties } = requestBody.content['application/json'].schema;
  const found = properties[field] ?? parameters.find(({ name }) => name === field);
  const { description } = found ?? expect.fail(`${path} has no ${field}`);
  return `${description.charAt(0).toLowerCase()}${description.slice(1)}`.replace(/\.$/, '').replaceAll('`', '');
}

const WEBHOOK_OPTIONS = {
  name: 'name',
  description: 'description',
  header: 'headers',
  'rate-limit': 'rate_limit',
  'retry-seconds': 'retry_seconds',
  format: 'format',
  target: 'target',
  tag: 'tags',
};

test.each([
  ['webhooks create', '/v1/webhooks', WEBHOOK_OPTIONS],
  ['webhooks update', '/v1/webhooks', WEBHOOK_OPTIONS],
  ['sources create', '/v1/sources', { name: 'name', endpoint: 'endpoint', tag: 'tags' }],
  ['sources update', '/v1/sources', { name: 'name', endpoint: 'endpoint', tag: 'tags' }],
  ['accounts add', '/v1/accounts', { name: 'name' }],
  ['accounts update', '/v1/accounts', { name: 'name' }],
  ['subscriptions create', '/v1/subscriptions', { filter: 'filter' }],
  ['auto-subscriptions create', '/v1/auto_subscriptions', { filter: 'filter' }],
])('the help of %s has the descriptions of the OpenAPI document', (words, path, fields) => {
  const [group, name] = words.split(' ');
  const command = tree.program.commands
    .find((each) => each.name() === group)
    ?.commands.find((each) => each.name() === name);
  const texts = Object.fromEntries((command?.options ?? []).map(({ long, description }) => [long, description]));
  for (const [option, field] of Object.entries(fields))
    expect(texts[`--${option}`]?.replace(' (repeatable)', '')).toBe(described(path, field));
});
