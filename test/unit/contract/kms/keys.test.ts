import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDisk } from '../../../../infra/embedded/disk/open-disk.ts';
import { KmsService } from '../../../../infra/embedded/kms/service.ts';
import { kmsCodec } from '../../../support/aws-wire/kms-codec.ts';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';
import { jsonRequestHandler } from '../../../support/aws-wire/aws-json.ts';

const ARN = 'arn:aws:kms:us-east-1:000000000000:key/TheKey';
const ROLE = 'arn:aws:iam::000000000000:role/somebody';
const EncryptionContext = { owner: 'u_1', account: 'apn_1' };
const AES = { KeySpec: 'AES_256' } as const;

async function open(dataDir: string): Promise<{ service: KmsService; close(): Promise<void> }> {
  const disk = await openDisk(join(dataDir, 'store'), { sync: 'always' });
  const service = new KmsService({ disk, dataDir, region: 'us-east-1', account: '000000000000' });
  try {
    await service.createKey('TheKey');
    await service.createKey('OtherKey');
  } catch (error) {
    await disk.close();
    throw error;
  }
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

/** Through the whole serialisation of the SDK, and short-circuited. */
const clients: Record<string, (service: KmsService) => KMSClient> = {
  'through full serialisation': (service) =>
    new KMSClient({
      ...common,
      requestHandler: jsonRequestHandler((operation, input) => service.call(operation, input), kmsCodec) as never,
    }),
  'short-circuited': (service) => {
    const client = new KMSClient(common);
    const dispatch = ({ operation, input }: { operation: string; input: never }) => service.call(operation, input);
    client.middlewareStack.use(sdkPlugin({ dispatch: dispatch as never, role: ROLE }));
    return client;
  },
};

async function client(made: (service: KmsService) => KMSClient): Promise<KMSClient> {
  const { service, close } = await open(directory());
  onTestFinished(close);
  return made(service);
}

describe.each(Object.entries(clients))('%s', (_way, made) => {
  test('a data key is decrypted under its context, in any order of pairs, with or without the name of the key', async () => {
    const to = await client(made);
    const { CiphertextBlob, KeyId, Plaintext } = await to.send(
      new GenerateDataKeyCommand({ KeyId: ARN, ...AES, EncryptionContext }),
    );
    expect(KeyId).toBe(ARN);
    const reordered = { account: 'apn_1', owner: 'u_1' };
    for (const named of [{}, { KeyId: ARN }, { KeyId: 'TheKey' }]) {
      const opened = await to.send(new DecryptCommand({ ...named, CiphertextBlob, EncryptionContext: reordered }));
      expect(opened).toMatchObject({ KeyId: ARN, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
      expect(Buffer.from(opened.Plaintext ?? [])).toEqual(Buffer.from(Plaintext ?? []));
    }
  });

  test('a data key has the requested size, plain and encrypted', async () => {
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

  test('a different context, a changed blob and a foreign blob are InvalidCiphertextException', async () => {
    const to = await client(made);
    const { CiphertextBlob = new Uint8Array() } = await to.send(
      new GenerateDataKeyCommand({ KeyId: ARN, ...AES, EncryptionContext }),
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

  test('an unknown key is NotFoundException, a wrong size ValidationException', async () => {
    const to = await client(made);
    for (const KeyId of ['nope', ARN.replace('TheKey', 'nope')])
      await expect(to.send(new GenerateDataKeyCommand({ KeyId, ...AES }))).rejects.toMatchObject({
        name: 'NotFoundException',
      });
    for (const size of [{}, { KeySpec: 'AES_256', NumberOfBytes: 32 }, { NumberOfBytes: 1025 }] as const)
      await expect(to.send(new GenerateDataKeyCommand({ KeyId: ARN, ...size }))).rejects.toMatchObject({
        name: 'ValidationException',
      });
  });
});

test('every operation requires its action on the key, with the encryption context of the request', async () => {
  const { service, close } = await open(directory());
  onTestFinished(close);
  const context = { 'kms:EncryptionContext:owner': 'u_1', 'kms:EncryptionContext:account': 'apn_1' };
  const { CiphertextBlob } = await service.call('GenerateDataKey', { KeyId: ARN, ...AES, EncryptionContext });
  const inputs = {
    GenerateDataKey: { KeyId: ARN, KeySpec: 'AES_256', EncryptionContext },
    Decrypt: { CiphertextBlob, EncryptionContext },
  };
  for (const [operation, input] of Object.entries(inputs))
    expect(service.requiredPermissions(operation, input)).toEqual([
      { action: `kms:${operation}`, resource: ARN, context },
    ]);
});

describe("a key's file", () => {
  test('is readable only by its owner, and opens ciphertext from before a restart', async () => {
    const dataDir = directory();
    const before = await open(dataDir);
    const { CiphertextBlob, Plaintext } = await before.service.call('GenerateDataKey', {
      KeyId: ARN,
      ...AES,
    });
    await before.close();
    const folder = join(dataDir, 'keys');
    expect(readdirSync(folder).sort()).toEqual(['OtherKey.key', 'TheKey.key']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const after = await open(dataDir);
    onTestFinished(after.close);
    expect((await after.service.call('Decrypt', { CiphertextBlob }))['Plaintext']).toEqual(Plaintext);
  });

  test('stops the start if it is missing or holds another key', async () => {
    const dataDir = directory();
    await (await open(dataDir)).close();
    const path = join(dataDir, 'keys', 'TheKey.key');
    rmSync(path);
    await expect(open(dataDir)).rejects.toThrow(`The key file ${path} is missing`);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, Buffer.alloc(32, 1));
    await expect(open(dataDir)).rejects.toThrow(`The key file ${path} holds another key`);
    writeFileSync(path, 'short');
    await expect(open(dataDir)).rejects.toThrow('does not hold 32 bytes');
  });
});
