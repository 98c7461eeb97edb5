import { beforeEach, expect, test } from 'vitest';
import { type Builder, stillBuilding } from '../../../../../shared/aws/builder.ts';
import type { Bucket } from '../../../../../shared/aws/bucket.ts';
import type { BuildDone, BuildRequest } from '../../../../../shared/domain/component/build-result.ts';
import { ServiceError } from '../../../../../shared/domain/errors.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import { buildComponent } from '../../../../../shared/service/components/build-component.ts';

const ownerId = UserId.parse('u_1');
const manifest = {
  bundleHash: 'b',
  code: 'c',
  codeHash: 'ch',
  contentHash: 'co',
  packages: [],
  bundleBytes: 1,
  authReads: [],
};

let objects: Map<string, string>;
let requests: BuildRequest[];
let response: Builder['build'];
let now: number;
let step: number;
beforeEach(() => {
  objects = new Map();
  requests = [];
  now = 1_000_000;
  step = 1_000;
  response = ({ uploads }) => Promise.resolve({ ok: true, manifest, attempt: uploads.attempt });
});

const bucket: Bucket = {
  putText: (key, text) => Promise.resolve(void objects.set(key, String(text))),
  getBytes: () => Promise.resolve(undefined),
  getText: (key) => Promise.resolve(objects.get(key)),
  copy: () => Promise.resolve(),
  copyIfPresent: () => Promise.resolve(true),
  list: () => Promise.resolve([]),
  delete: (key) => Promise.resolve(void objects.delete(key)),
  presignGet: (key) => Promise.resolve(key),
  presignPut: (key) => Promise.resolve(key),
};
const build = (ingredients: { code?: string; url?: string }) =>
  buildComponent(
    {
      bucket,
      builder: {
        build(request) {
          requests.push(request);
          return response(request);
        },
      },
      random: (bytes) => new Uint8Array(bytes).fill(requests.length),
      now: () => (now += step),
    },
    { ownerId, ...ingredients },
  );
/** The builder finishes after its caller has gone. */
const finishes = () => {
  for (const { uploads } of requests) objects.set(uploads.manifest, JSON.stringify(done(uploads.attempt)));
};
const done = (attempt: string): BuildDone => ({
  manifest,
  attempt,
  inputs: [{ address: 'https://example.org/x.mjs', found: 'hash' }],
  builtBy: 'us',
  at: now,
});

test('a build that is not ready in time is 503 still_building; the repeated request finds it, without building again', async () => {
  for (const ingredients of [{ code: 'x' }, { url: 'https://example.org/x.mjs' }]) {
    requests = [];
    response = () => Promise.reject(stillBuilding());
    await expect(build(ingredients)).rejects.toMatchObject({
      code: 'still_building',
      retryAfterSeconds: expect.any(Number) as number,
    });
    finishes();
    expect((await build(ingredients)).manifest).toEqual(manifest);
    expect(requests).toHaveLength(1);
  }
});

test('a build that fails after its caller has gone gives the repeated request the reason, once', async () => {
  for (const ingredients of [{ code: 'slow' }, { url: 'https://example.org/slow.mjs' }]) {
    requests = [];
    step = 1_000;
    response = () => Promise.reject(stillBuilding());
    await expect(build(ingredients)).rejects.toMatchObject({ code: 'still_building' });
    for (const { uploads } of requests)
      objects.set(uploads.manifest, JSON.stringify({ failed: 'no such package', at: now }));
    await expect(build(ingredients)).rejects.toMatchObject({
      code: 'build_failed',
      message: 'no such package',
    });
    expect(requests).toHaveLength(1);

    // The missing part may exist by now, so the next request builds again instead of returning an old error.
    now += 3_600_000;
    step = 5_000;
    await expect(build(ingredients)).rejects.toMatchObject({ code: 'still_building' });
    await expect(build(ingredients)).rejects.toMatchObject({ code: 'still_building' });
    expect(requests).toHaveLength(2);
  }
});

test('while it goes on, the repeated request waits for it and starts no other', async () => {
  response = () => Promise.reject(stillBuilding());
  await expect(build({ url: 'https://example.org/x.mjs' })).rejects.toThrow(ServiceError);
  await expect(build({ url: 'https://example.org/x.mjs' })).rejects.toMatchObject({ code: 'still_building' });
  expect(requests).toHaveLength(1);
});

test('the result of an earlier build of an address is no result of a running build', async () => {
  const url = 'https://example.org/changed.mjs';
  await build({ url });
  finishes();
  now += 3_600_000;
  step = 5_000;
  response = () => Promise.reject(stillBuilding());
  await expect(build({ url })).rejects.toMatchObject({ code: 'still_building' });
  await expect(build({ url })).rejects.toMatchObject({ code: 'still_building' });
  finishes();
  expect((await build({ url })).manifest).toEqual(manifest);
  expect(requests).toHaveLength(2);
});

test('the builder checks an address each time, given its earlier content; code is not built again', async () => {
  const url = 'https://example.org/x.mjs';
  const first = await build({ url });
  finishes();
  response = ({ earlier }) =>
    Promise.resolve({ ok: true, manifest, attempt: earlier?.attempt ?? expect.fail('It was not told.') });
  expect((await build({ url })).bundleKey).toBe(first.bundleKey);
  response = ({ uploads }) => Promise.resolve({ ok: true, manifest, attempt: uploads.attempt });
  expect(requests.map(({ earlier }) => earlier?.inputs.length)).toEqual([undefined, 1]);
  await build({ code: 'x' });
  finishes();
  await build({ code: 'x' });
  expect(requests).toHaveLength(3);
});

test('a build of an earlier release, which found no reads of accounts, is built again', async () => {
  for (const ingredients of [{ code: 'x' }, { url: 'https://example.org/x.mjs' }]) {
    requests = [];
    await build(ingredients);
    const { authReads: _, ...older } = manifest;
    for (const { uploads } of requests)
      objects.set(uploads.manifest, JSON.stringify({ ...done(uploads.attempt), manifest: older }));
    expect((await build(ingredients)).manifest).toEqual(manifest);
    expect(requests.map(({ earlier }) => earlier)).toEqual([undefined, undefined]);
  }
});

test('each attempt has a bundle of its own, so that a manifest never belongs to another bundle', async () => {
  const url = 'https://example.org/x.mjs';
  const [one, two] = [await build({ url }), await build({ url })];
  expect(one.bundleKey).not.toBe(two.bundleKey);
  expect(requests.map(({ uploads }) => uploads.bundle)).toEqual([one.bundleKey, two.bundleKey]);
});

test('a build that the bucket may have forgotten, or that did not load, is built anew', async () => {
  for (const ingredients of [{ code: 'y' }, { url: 'https://example.org/y.mjs' }]) {
    requests = [];
    await (await build(ingredients)).forget();
    await build(ingredients);
    finishes();
    now += 24 * 3_600_000;
    await build(ingredients);
    expect(requests.map(({ earlier }) => earlier)).toEqual([undefined, undefined, undefined]);
  }
});

test('a failed build has the reason', async () => {
  response = () => Promise.resolve({ ok: false, code: 'build_failed', message: 'line 3' });
  await expect(build({ code: 'x' })).rejects.toMatchObject({
    code: 'build_failed',
    kind: 'invalid',
    message: 'line 3',
  });
});

/** A registry that hangs is noticed long after the caller has gone. */
test('an unavailable registry is 503, also for a later request that finds the result of the build', async () => {
  const failed = { code: 'registry_unavailable', message: 'no response' } as const;
  const problem = { ...failed, kind: 'unavailable', retryAfterSeconds: expect.any(Number) as number };
  response = () => Promise.resolve({ ok: false, ...failed });
  await expect(build({ code: 'x' })).rejects.toMatchObject(problem);

  requests = [];
  response = () => Promise.reject(stillBuilding());
  await expect(build({ code: 'y' })).rejects.toMatchObject({ code: 'still_building' });
  for (const { uploads } of requests)
    objects.set(uploads.manifest, JSON.stringify({ failed: failed.message, code: failed.code, at: now }));
  await expect(build({ code: 'y' })).rejects.toMatchObject(problem);
});
