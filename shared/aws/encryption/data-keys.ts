import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';

/** Pairs that KMS authenticates. The permissions of functions name them. */
type EncryptionContext = Readonly<Record<string, string>>;

export interface DataKey {
  key: Uint8Array;
  /** The key as KMS encrypted it, base64. */
  sealed: string;
}

/** Each call is one request to KMS. */
export type DataKeys = ReturnType<typeof createDataKeys>;

export const createDataKeys = (kms: () => KMSClient, keyArn: string) => ({
  async generate(context: EncryptionContext): Promise<DataKey> {
    const { Plaintext: key, CiphertextBlob: sealed } = await kms().send(
      new GenerateDataKeyCommand({ KeyId: keyArn, KeySpec: 'AES_256', EncryptionContext: context }),
    );
    if (!key || !sealed) throw new Error('KMS returned no data key');
    return { key, sealed: Buffer.from(sealed).toString('base64') };
  },

  /** Fails under another context than that of `generate`. */
  async decrypt(sealed: string, context: EncryptionContext): Promise<Uint8Array> {
    const { Plaintext: key } = await kms().send(
      new DecryptCommand({
        KeyId: keyArn,
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: context,
      }),
    );
    if (!key) throw new Error('KMS returned no data key');
    return key;
  },
});
