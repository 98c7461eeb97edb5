import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDisk } from '../../../../infra/embedded/disk.ts';
import { kms, type Kms } from '../../../../infra/embedded/kms/kms.ts';
import { kmsCodec } from '../../../../infra/embedded/kms/wire.ts';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';
import { jsonRequestHandler } from '../../../../infra/embedded/wire/aws-json.ts';

const ARN = 'arn:aws:kms:us-east-1:000000000000:key/TheKey';
const ROLE = 'arn:aws:iam::000000000000:role/somebody';
const EncryptionContext = { owner: 'u_1', account: 'apn_1' };
const Plaintext = new Uint8Array([0, 1, 2, 250, 251]);

async function open(dataDir: string): Promise<{ service: Kms; close(): Promise<void> }> {
  const disk = await openDisk(join(dataDir, 'store'), { sync: 'always' });
  const service = kms({ disk, dataDir, region: 'us-east-1', account: '000000000000' });
  try {
    await service.createKey('TheKey');
    await service.createKey('OtherKey');
  } catch (error) {
    await disk.close();
    throw error;
  }
  service.createAlias('alias/ours', 'TheKey');
  return { service, close: () => disk.close() };
}

function directory(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-kms-'));
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

const common = { region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'y' } };

/** Through everything that the SDK serialises, and past it. */
const clients: Record<string, (service: Kms) => KMSClient> = {
  'over the wire': (service) =>
    new KMSClient({
      ...common,
      requestHandler: jsonRequestHandler(
        (operation, input) => service.call(operation, input, ROLE),
        kmsCodec,
      ) as never,
    }),
  'past the wire': (service) => {
    const client = new KMSClient(common);
    const dispatch = ({ operation, input, role }: { operation: string; input: never; role: string }) =>
      service.call(operation, input, role);
    client.middlewareStack.use(sdkPlugin({ dispatch: dispatch as never, role: ROLE }));
    return client;
  },
};

async function client(made: (service: Kms) => KMSClient): Promise<KMSClient> {
  const { service, close } = await open(directory());
  onTestFinished(close);
  return made(service);
}

describe.each(Object.entries(clients))('%s', (_way, made) => {
  test('what is encrypted is decrypted under the same context, in any order, the key named or not', async () => {
    const to = await client(made);
    const { CiphertextBlob, KeyId } = await to.send(
      new EncryptCommand({ KeyId: ARN, Plaintext, EncryptionContext }),
    );
    expect(KeyId).toBe(ARN);
    const turned = { account: 'apn_1', owner: 'u_1' };
    for (const named of [{}, { KeyId: ARN }, { KeyId: 'TheKey' }, { KeyId: 'alias/ours' }]) {
      const opened = await to.send(
        new DecryptCommand({ ...named, CiphertextBlob, EncryptionContext: turned }),
      );
      expect(opened).toMatchObject({ KeyId: ARN, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
      expect(Uint8Array.from(opened.Plaintext ?? [])).toEqual(Plaintext);
    }
  });

  test('a data key comes plain and encrypted', async () => {
    const to = await client(made);
    for (const [size, bytes] of [
      [{ KeySpec: 'AES_256' }, 32],
      [{ KeySpec: 'AES_128' }, 16],
      [{ NumberOfBytes: 100 }, 100],
    ] as const) {
      const key = await to.send(new GenerateDataKeyCommand({ KeyId: 'TheKey', ...size, EncryptionContext }));
      expect(key.Plaintext).toHaveLength(bytes);
      const { Plaintext: opened } = await to.send(
        new DecryptCommand({ CiphertextBlob: key.CiphertextBlob, EncryptionContext }),
      );
      expect(Buffer.from(opened ?? [])).toEqual(Buffer.from(key.Plaintext ?? []));
    }
  });

  test('another context, a changed blob and none of ours are InvalidCiphertextException', async () => {
    const to = await client(made);
    const { CiphertextBlob = new Uint8Array() } = await to.send(
      new EncryptCommand({ KeyId: ARN, Plaintext, EncryptionContext }),
    );
    const changed = Uint8Array.from(CiphertextBlob);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    for (const wrong of [
      { CiphertextBlob, EncryptionContext: { ...EncryptionContext, owner: 'u_2' } },
      { CiphertextBlob },
      { CiphertextBlob: changed, EncryptionContext },
      { CiphertextBlob: new Uint8Array([9, 9, 9]), EncryptionContext },
    ])
      await expect(to.send(new DecryptCommand(wrong))).rejects.toMatchObject({
        name: 'InvalidCiphertextException',
        $metadata: { httpStatusCode: 400 },
      });
    await expect(
      to.send(new DecryptCommand({ CiphertextBlob, EncryptionContext, KeyId: 'OtherKey' })),
    ).rejects.toMatchObject({ name: 'IncorrectKeyException' });
  });

  test('an unknown key or alias is NotFoundException, a wrong size ValidationException', async () => {
    const to = await client(made);
    for (const KeyId of ['nope', ARN.replace('TheKey', 'nope'), 'alias/nope'])
      await expect(to.send(new EncryptCommand({ KeyId, Plaintext }))).rejects.toMatchObject({
        name: 'NotFoundException',
      });
    for (const wrong of [
      new EncryptCommand({ KeyId: ARN, Plaintext: new Uint8Array(4097) }),
      new EncryptCommand({ KeyId: ARN, Plaintext: new Uint8Array(0) }),
    ])
      await expect(to.send(wrong)).rejects.toMatchObject({ name: 'ValidationException' });
    for (const size of [{}, { KeySpec: 'AES_256', NumberOfBytes: 32 }, { NumberOfBytes: 1025 }] as const)
      await expect(to.send(new GenerateDataKeyCommand({ KeyId: ARN, ...size }))).rejects.toMatchObject({
        name: 'ValidationException',
      });
  });
});

test('every operation demands its action on the key, with the context that it names', async () => {
  const { service, close } = await open(directory());
  onTestFinished(close);
  const context = { 'kms:EncryptionContext:owner': 'u_1', 'kms:EncryptionContext:account': 'apn_1' };
  const { CiphertextBlob } = await service.call(
    'Encrypt',
    { KeyId: ARN, Plaintext, EncryptionContext },
    ROLE,
  );
  const inputs = {
    Encrypt: { KeyId: 'alias/ours', Plaintext, EncryptionContext },
    GenerateDataKey: { KeyId: ARN, KeySpec: 'AES_256', EncryptionContext },
    Decrypt: { CiphertextBlob, EncryptionContext },
  };
  for (const [operation, input] of Object.entries(inputs))
    expect(service.demands(operation, input)).toEqual([
      { action: `kms:${operation}`, resource: ARN, context },
    ]);
});

describe("a key's file", () => {
  test('is read by its owner alone, and opens what was encrypted before a restart', async () => {
    const dataDir = directory();
    const before = await open(dataDir);
    const { CiphertextBlob } = await before.service.call('Encrypt', { KeyId: ARN, Plaintext }, ROLE);
    await before.close();
    const folder = join(dataDir, 'keys');
    expect(readdirSync(folder).sort()).toEqual(['OtherKey.key', 'TheKey.key']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const after = await open(dataDir);
    onTestFinished(after.close);
    expect((await after.service.call('Decrypt', { CiphertextBlob }, ROLE))['Plaintext']).toEqual(Plaintext);
  });

  test('that is gone, or another one, stops the start: nothing is encrypted under a new one', async () => {
    const dataDir = directory();
    await (await open(dataDir)).close();
    const path = join(dataDir, 'keys', 'TheKey.key');
    rmSync(path);
    await expect(open(dataDir)).rejects.toThrow(`The key file ${path} is gone`);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, Buffer.alloc(32, 1));
    await expect(open(dataDir)).rejects.toThrow(`The key file ${path} is another one`);
    writeFileSync(path, 'short');
    await expect(open(dataDir)).rejects.toThrow('does not hold 32 bytes');
  });
});
