import { KMSClient } from '@aws-sdk/client-kms';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDisk } from '../../../../infra/embedded/disk/open-disk.ts';
import { KmsService } from '../../../../infra/embedded/kms/service.ts';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';
import { createVault, type Holder } from '../../../../shared/aws/vault.ts';
import { AccountId, UserId, WebhookId, WorkflowId } from '../../../../shared/domain/id.ts';
import { DAY_MS, HOUR_MS } from '../../../../shared/lib/durations.ts';

const KEY_ARN = 'arn:aws:kms:us-east-1:000000000000:key/TheKey';
const ROLE = 'arn:aws:iam::000000000000:role/somebody';
const [OWNER, OTHER] = [UserId.parse('u_1'), UserId.parse('u_2')];
const FIELDS = { secret: 'whsec_b2xk' };

const webhook = (n: number, ownerId = OWNER): Holder => ({ id: WebhookId.parse(`wh_${n}`), ownerId });

/** The embedded KMS, and the calls that it got. `instance` is what each instance of a function makes. */
async function openKms(material?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-vault-'));
  if (material !== undefined) {
    mkdirSync(join(dataDir, 'keys'));
    writeFileSync(join(dataDir, 'keys', 'TheKey.key'), Buffer.from(material, 'base64'), { mode: 0o600 });
  }
  const disk = await openDisk(join(dataDir, 'store'), { sync: 'always' });
  onTestFinished(async () => {
    await disk.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const service = new KmsService({ disk, dataDir, region: 'us-east-1', account: '000000000000' });
  await service.createKey('TheKey');
  const calls: string[] = [];
  const clock = { now: Date.UTC(2026, 10, 28, 12) };
  let failures = 0;
  const client = new KMSClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
  });
  const dispatch = ({ operation, input }: { operation: string; input: never }) => {
    calls.push(operation);
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Error('KMS is away')) : service.call(operation, input);
  };
  client.middlewareStack.use(sdkPlugin({ dispatch: dispatch as never, role: ROLE }));
  return {
    clock,
    instance: () =>
      createVault(
        () => client,
        KEY_ARN,
        () => clock.now,
      ),
    fail: (times: number) => {
      failures = times;
    },
    /** The calls since the last look. */
    made: () => calls.splice(0),
  };
}

describe('calls of KMS', () => {
  test('webhooks that an owner makes on one day cost one call, and each instance that delivers one more', async () => {
    const { instance, made } = await openKms();
    const [maker, deliverer] = [instance(), instance()];
    const hooks = Array.from({ length: 100 }, (_, n) => webhook(n));
    const sealed = await Promise.all(hooks.map((holder) => maker.encrypt(holder, FIELDS)));
    expect(made()).toEqual(['GenerateDataKey']);
    const opened = await Promise.all(
      hooks.map((holder, n) => deliverer.decrypt({ ...holder, sealed: sealed[n] ?? expect.fail() })),
    );
    expect(opened).toEqual(hooks.map(() => FIELDS));
    expect(made()).toEqual(['Decrypt']);
    await maker.decrypt({ ...webhook(0), sealed: sealed[0] ?? expect.fail() });
    expect(made()).toEqual([]);
  });

  test('each owner and each day has a data key of its own', async () => {
    const { instance, made, clock } = await openKms();
    const vault = instance();
    const first = await vault.encrypt(webhook(1), FIELDS);
    const ofOther = await vault.encrypt(webhook(2, OTHER), FIELDS);
    clock.now += DAY_MS;
    const next = await vault.encrypt(webhook(3), FIELDS);
    expect(made()).toEqual(['GenerateDataKey', 'GenerateDataKey', 'GenerateDataKey']);
    expect(new Set([first, ofOther, next].map(({ dataKey }) => dataKey)).size).toBe(3);
    expect([first.day, next.day]).toEqual(['2026-11-28', '2026-11-29']);
  });

  test('a data key is forgotten after an hour, so that a disabled key stops an instance', async () => {
    const { instance, made, clock } = await openKms();
    const vault = instance();
    const sealed = await vault.encrypt(webhook(1), FIELDS);
    made();
    clock.now += HOUR_MS - 1;
    await vault.decrypt({ ...webhook(1), sealed });
    expect(made()).toEqual([]);
    clock.now += 1;
    await vault.decrypt({ ...webhook(1), sealed });
    expect(made()).toEqual(['Decrypt']);
    await vault.encrypt(webhook(2), FIELDS);
    expect(made()).toEqual(['GenerateDataKey']);
  });

  test('an instance keeps 2,000 data keys at most', async () => {
    const { instance, made } = await openKms();
    const vault = instance();
    const owner = (n: number) => webhook(n, UserId.parse(`u_x${n}`));
    const first = await vault.encrypt(owner(0), FIELDS);
    for (let n = 1; n < 2_000; n += 1) await vault.encrypt(owner(n), FIELDS);
    made();
    await vault.decrypt({ ...owner(0), sealed: first });
    expect(made()).toEqual([]);
    await vault.encrypt(owner(2_000), FIELDS);
    await vault.decrypt({ ...owner(0), sealed: first });
    expect(made()).toEqual(['GenerateDataKey', 'Decrypt']);
  });

  test('a call that failed is repeated by the next caller', async () => {
    const { instance, fail } = await openKms();
    const vault = instance();
    fail(1);
    await expect(vault.encrypt(webhook(1), FIELDS)).rejects.toThrow('away');
    const sealed = await vault.encrypt(webhook(1), FIELDS);
    const deliverer = instance();
    fail(1);
    await expect(deliverer.decrypt({ ...webhook(1), sealed })).rejects.toThrow('away');
    expect(await deliverer.decrypt({ ...webhook(1), sealed })).toEqual(FIELDS);
  });

  test('accounts and workflows have a data key each, under a context that names them', async () => {
    const { instance, made } = await openKms();
    const vault = instance();
    for (const id of [AccountId.parse('apn_1'), AccountId.parse('apn_2'), WorkflowId.parse('p_1')]) {
      const sealed = await vault.encrypt({ id, ownerId: OWNER }, FIELDS);
      expect(sealed.day).toBeUndefined();
      expect(await vault.decrypt({ id, ownerId: OWNER, sealed })).toEqual(FIELDS);
    }
    expect(made()).toHaveLength(6);
  });
});

describe('a ciphertext opens in its own item only, also in an instance that has all data keys', () => {
  async function attacked() {
    const { instance, clock } = await openKms();
    const vault = instance();
    const mine = await vault.encrypt(webhook(1), FIELDS);
    const second = await vault.encrypt(webhook(2), { secret: 'second' });
    const others = await vault.encrypt(webhook(3, OTHER), { secret: 'others' });
    clock.now += DAY_MS;
    const later = await vault.encrypt(webhook(4), { secret: 'later' });
    return { vault, mine, second, others, later };
  }

  test.each([
    ['another webhook of the owner', webhook(2)],
    ["another owner's webhook", webhook(3, OTHER)],
    ['a webhook of this id with another owner', webhook(1, OTHER)],
    ['a workflow of the owner', { id: WorkflowId.parse('p_1'), ownerId: OWNER }],
  ])('moved to %s', async (_, holder) => {
    const { vault, mine } = await attacked();
    expect(await vault.decrypt({ ...webhook(1), sealed: mine })).toEqual(FIELDS);
    await expect(vault.decrypt({ ...holder, sealed: mine })).rejects.toThrow();
  });

  test('with the data key, the day, the nonce or the text of another one', async () => {
    const { vault, mine, second, others, later } = await attacked();
    const { day: _, ...alone } = mine;
    for (const sealed of [
      { ...mine, dataKey: others.dataKey },
      { ...mine, dataKey: later.dataKey },
      { ...mine, dataKey: later.dataKey, day: later.day },
      { ...mine, day: later.day },
      { ...mine, nonce: second.nonce },
      { ...mine, text: second.text },
      { ...mine, nonce: second.nonce, text: second.text },
      alone,
    ])
      await expect(vault.decrypt({ ...webhook(1), sealed })).rejects.toThrow();
  });
});

test('a webhook that an earlier release sealed with a data key of its own is readable', async () => {
  const { instance, made } = await openKms('VGm6WNG14XUk2ho6GBaoLdUhBSOvOgOVYMdhS6qWfec=');
  const sealed = {
    dataKey: 'AQZUaGVLZXnbQXWNjv4cTsEzC7yVnFpY6ezHPxmNtMc1M/JsjRka6+MXWybp/eyk5qWtb3z8GoScUoYvv9cNuULsrMA=',
    nonce: 'Zw2ZqJXLRC2yCKvS',
    text: 'oniW0ItJQzmUVyoqAiCBPEslHx33hAtLzRsqEsjanz1BdlNJI52V',
  };
  expect(await instance().decrypt({ ...webhook(1), sealed })).toEqual(FIELDS);
  await expect(instance().decrypt({ ...webhook(2), sealed })).rejects.toThrow();
  expect(made()).toEqual(['Decrypt', 'Decrypt']);
});
