import type { JsonCodec } from './aws-json.ts';

/** KMS on the wire: AWS JSON with blobs in its input. */
export const kmsCodec: JsonCodec = {
  decode(_operation, json) {
    const { CiphertextBlob: text } = json;
    if (typeof text !== 'string') return json;
    return { ...json, CiphertextBlob: new Uint8Array(Buffer.from(text, 'base64')) };
  },
};
