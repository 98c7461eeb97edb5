import type { JsonCodec } from '../wire/aws-json.ts';

const blobs = ['Plaintext', 'CiphertextBlob'] as const;

/** How KMS differs from plain AWS JSON: the blobs of its input. */
export const kmsCodec: JsonCodec = {
  decode(_operation, json) {
    const input = { ...json };
    for (const name of blobs) {
      const text = input[name];
      if (typeof text === 'string') input[name] = new Uint8Array(Buffer.from(text, 'base64'));
    }
    return input;
  },
};
