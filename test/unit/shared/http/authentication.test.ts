import { expect, test } from 'vitest';
import { UserId } from '../../../../shared/domain/id.ts';
import { createAuthenticator } from '../../../../shared/http/authentication.ts';
import { hashOfKey } from '../../../../shared/store/users.ts';

const user = UserId.parse('u_1');

function setting() {
  const known = new Map([[hashOfKey('key'), user]]);
  const setting = { known, now: 0, reads: 0 };
  const authenticate = createAuthenticator(
    {
      findByKeyHash(hash) {
        setting.reads += 1;
        return Promise.resolve(known.get(hash));
      },
    },
    () => setting.now,
  );
  return { setting, authenticate };
}

test('a key seen within the last 60 s is not looked up again', async () => {
  const { setting: at, authenticate } = setting();
  for (at.now = 0; at.now < 60_000; at.now += 1_000) await authenticate('Bearer key');
  expect(at.reads).toBe(1);
});

test('a rotated key stops within 60 s, a new one works immediately', async () => {
  const { setting: at, authenticate } = setting();
  await authenticate('Bearer key');
  at.known.clear();
  at.known.set(hashOfKey('new'), user);
  expect(await authenticate('Bearer new')).toEqual({ userId: user, apiKey: 'new' });
  expect(await authenticate('Bearer key')).toMatchObject({ userId: user });
  at.now = 60_000;
  await expect(authenticate('Bearer key')).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a key that was refused is looked up again, so it works as soon as it exists', async () => {
  const { setting: at, authenticate } = setting();
  await expect(authenticate('Bearer later')).rejects.toMatchObject({ kind: 'unauthenticated' });
  at.known.set(hashOfKey('later'), user);
  expect(await authenticate('Bearer later')).toMatchObject({ userId: user });
});
