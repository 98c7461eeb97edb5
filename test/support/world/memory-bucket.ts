import type { Bucket } from '../../../shared/aws/bucket.ts';

/** A bucket in memory, and its objects. */
export function memoryBucket(): { bucket: Bucket; objects: Map<string, string> } {
  const objects = new Map<string, string>();
  const copyIfPresent = async (from: string, to: string) => {
    const text = objects.get(from);
    if (text !== undefined) objects.set(to, text);
    return text !== undefined;
  };
  const bucket: Bucket = {
    putText: async (key, text) => void objects.set(key, String(text)),
    getText: async (key) => objects.get(key),
    getBytes: async (key) => {
      const text = objects.get(key);
      return text === undefined ? undefined : Buffer.from(text);
    },
    delete: async (key) => void objects.delete(key),
    copyIfPresent,
    copy: async (from, to) => {
      if (!(await copyIfPresent(from, to))) throw new Error(`There is no object ${from}.`);
    },
    list: async (prefix) =>
      [...objects].flatMap(([key, text]) => (key.startsWith(prefix) ? [{ key, bytes: Buffer.byteLength(text) }] : [])),
    presignGet: async (key) => `https://bucket/${key}`,
    presignPut: async (key) => `https://bucket/${key}`,
  };
  return { bucket, objects };
}
