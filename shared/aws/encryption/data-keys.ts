import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';

/** Pairs that KMS authenticates. The permissions of functions name them. */
type EncryptionContext = Readonly<Record<string, string>>;

export interface DataKey {
  key: Uint8Array;
  /** The key as KMS encrypted it, base64. */
  sealed: string;
}

/** Each call is one request to KMS. */
export interface DataKeys {
  generate(context: EncryptionContext): Promise<DataKey>;
  /** Fails under another context than that of `generate`. */
  decrypt(sealed: string, context: EncryptionContext): Promise<Uint8Array>;
}

export const createDataKeys = (kms: () => KMSClient, keyArn: string): DataKeys => ({
  async generate(context) {
    const { Plaintext: key, CiphertextBlob: sealed } = await kms().send(
      new GenerateDataKeyCommand({ KeyId: keyArn, KeySpec: 'AES_256', EncryptionContext: context }),
    );
    if (!key || !sealed) throw new Error('KMS returned no data key');
    return { key, sealed: Buffer.from(sealed).toString('base64') };
  },

  async decrypt(sealed, context) {
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
