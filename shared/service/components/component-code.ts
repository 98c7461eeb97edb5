import type { Bucket } from '../../aws/bucket.ts';
import { filesKey } from '../../aws/object-keys.ts';
import type { Component } from '../../domain/component/component.ts';
import { SentFiles } from '../../domain/component/sent-files.ts';

interface ComponentCodeContext {
  bucket: Pick<Bucket, 'getText'>;
}

export async function codeOf(
  { bucket }: ComponentCodeContext,
  { id, codeKey }: Pick<Component, 'id' | 'codeKey'>,
): Promise<string> {
  const code = await bucket.getText(codeKey);
  if (code === undefined) throw new Error(`The bucket has no code of the component ${id}`);
  return code;
}

/** The other files that were sent with the code, by path. */
export async function filesOf(
  { bucket }: ComponentCodeContext,
  { codeKey, hasFiles }: Pick<Component, 'codeKey' | 'hasFiles'>,
): Promise<Record<string, string>> {
  const text = hasFiles ? await bucket.getText(filesKey(codeKey)) : undefined;
  return Object.fromEntries(SentFiles.parse(text === undefined ? [] : JSON.parse(text)));
}
