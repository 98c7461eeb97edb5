import { beforeEach, expect, test } from 'vitest';
import { UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import type { SealedFields } from '../../../../../shared/domain/user/sealed-fields.ts';
import { createSealedReader, createSecretReader } from '../../../../../shared/service/delivery/sealed-reader.ts';

const holder = { id: WebhookId.parse('wh_aaaaaa'), ownerId: UserId.parse('u_aaaaaa') };
const sealed = (text: string): SealedFields => ({ dataKey: 'key', nonce: 'nonce', text });

let now: number;
let calls: string[];
let failure: Error | undefined;
beforeEach(() => {
  [now, calls, failure] = [1_000, [], undefined];
});

const reader = () =>
  createSecretReader(
    createSealedReader({
      vault: {
        decrypt: ({ id, sealed: { text } }) => {
          calls.push(`${id} ${text}`);
          return failure ? Promise.reject(failure) : Promise.resolve({ secret: `opened ${text}` });
        },
      },
      now: () => now,
    }),
  );

test('the deliveries of five minutes share one call per webhook, also at the same moment', async () => {
  const secretOf = reader();
  const all = await Promise.all(Array.from({ length: 100 }, () => secretOf(holder, sealed('a'))));
  expect(new Set(all)).toEqual(new Set(['opened a']));
  now += 5 * 60_000 - 1;
  await secretOf(holder, sealed('a'));
  expect(calls).toEqual(['wh_aaaaaa a']);
  now += 1;
  await secretOf(holder, sealed('a'));
  expect(calls).toHaveLength(2);
});

test('another secret of the same webhook is opened at once', async () => {
  const secretOf = reader();
  expect(await secretOf(holder, sealed('a'))).toBe('opened a');
  expect(await secretOf(holder, sealed('b'))).toBe('opened b');
  expect(await secretOf({ ...holder, id: WebhookId.parse('wh_bbbbbb') }, sealed('a'))).toBe('opened a');
  expect(calls).toHaveLength(3);
});

test('a failure is not remembered', async () => {
  const secretOf = reader();
  failure = new Error('KMS is away');
  await expect(secretOf(holder, sealed('a'))).rejects.toThrow('KMS is away');
  failure = undefined;
  expect(await secretOf(holder, sealed('a'))).toBe('opened a');
});

test('a secret that an earlier release stored as plain text needs no call', async () => {
  expect(await reader()(holder, 'whsec_plain')).toBe('whsec_plain');
  expect(calls).toEqual([]);
});
