import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { Scene } from '../../support/scene.ts';

const ARN = 'arn:aws:sqs:us-east-1:000000000000:target';
const URL = 'https://sqs.us-east-1.amazonaws.com/000000000000/target';

const folder = mkdtempSync(join(tmpdir(), 'tributary-targets-'));
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true });
});

const run = (...argv: string[]) => runCommand(argv, { env: scene.env });

test('the command line sets the target of a webhook, shows it, exports and imports it, and ends it', async () => {
  const made = await run('webhooks', 'create', URL, '--name', 'orders', '--target', ARN, '--json');
  expect(JSON.parse(made.out)).toMatchObject({ url: URL, target: { kind: 'queue', arn: ARN, role_arn: null } });
  expect((await run('webhooks', 'get', 'orders')).out).toContain(ARN);
  const tested = await run('webhooks', 'test', 'orders');
  expect([tested.code, tested.error]).toEqual([0, '']);
  const document = JSON.parse((await run('export')).out) as { webhooks: object[] };
  expect(document.webhooks).toMatchObject([{ name: 'orders', target: { kind: 'queue', arn: ARN, role_arn: null } }]);
  await run('webhooks', 'delete', 'orders', '--yes');
  const file = join(folder, 'document.json');
  writeFileSync(file, JSON.stringify(document));
  expect((await run('import', file)).code).toBe(0);
  expect(JSON.parse((await run('webhooks', 'get', 'orders', '--json')).out)).toMatchObject({
    url: URL,
    target: { arn: ARN },
  });
  const ended = await run('webhooks', 'update', 'orders', 'https://a.example/', '--target', 'none', '--json');
  expect(JSON.parse(ended.out)).toMatchObject({ url: 'https://a.example/', target: null });
});

test('another text than an ARN of a target is wrong use', async () => {
  const { code, error } = await run('webhooks', 'create', URL, '--target', 'arn:aws:sns:us-east-1:1:t');
  expect([code, error]).toEqual([2, expect.stringContaining('must be the ARN of an event bus or a queue of SQS')]);
});
