import type { RequiredPermission } from '../call.ts';
import type { FoundKey } from './key-ring.ts';
import type { EncryptionContext } from './kms-input.ts';

/** An action on one key, under the encryption context of the request. */
export function keyPermission(
  action: string,
  { arn }: FoundKey,
  encryptionContext: EncryptionContext,
): readonly RequiredPermission[] {
  const context: Record<string, string> = {};
  for (const [name, value] of Object.entries(encryptionContext)) context[`kms:EncryptionContext:${name}`] = value;
  return [{ action, resource: arn, context }];
}
