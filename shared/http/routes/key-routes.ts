import * as z from 'zod';
import { ApiKeyIdParameter } from '../parameters.ts';
import { route } from '../route.ts';
import { NewKeyInput, RotationInput } from '../settings/key-settings.ts';

const group = { group: 'users', isExtension: true } as const;
const ofKey = { ...group, parameters: z.object({ id: ApiKeyIdParameter }) } as const;

export const keys = {
  listKeys: route('GET', '/v1/keys', {
    ...group,
    summary: 'Your API keys, newest first, without their secrets.',
    envelope: 'list',
    data: 'AccessKey',
  }),
  getCurrentKey: route('GET', '/v1/keys/current', {
    ...group,
    summary: 'The API key of the request, and its user. It needs no scope.',
    data: 'CurrentKey',
  }),
  createKey: route('POST', '/v1/keys', {
    ...group,
    summary:
      'Creates an API key with at most the scopes and the life of the key of the request. Only this response has it.',
    input: NewKeyInput,
    example: { name: 'Dashboard', scopes: ['read'] },
    data: 'AccessKeyWithSecret',
    errors: [409],
  }),
  rotateKey: route('POST', '/v1/keys/{id}/rotate', {
    ...ofKey,
    summary: 'Replaces the text of an API key. The one before works for `overlap_seconds` more.',
    input: RotationInput,
    example: { overlap_seconds: 3_600 },
    data: 'AccessKeyWithSecret',
  }),
  deleteKey: route('DELETE', '/v1/keys/{id}', {
    ...ofKey,
    summary: 'Ends an API key within 60 s. The key of the request cannot be deleted.',
    envelope: 'none',
    errors: [409],
  }),
};
