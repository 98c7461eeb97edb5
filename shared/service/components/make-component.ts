import { bundleKey, codeKey, filesKey } from '../../aws/object-keys.ts';
import type { DescribeResult, Runner } from '../../aws/runner.ts';
import type { BuildManifest, Component, ComponentDescription } from '../../domain/component/component.ts';
import { LONGEST_LOAD_MS } from '../../domain/time-limits.ts';
import { ServiceError } from '../../domain/errors.ts';
import { detailsOf, lastLines, wordingOf } from '../../domain/run/failure-report.ts';
import { ComponentId, newId, type Random, type UserId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { DEFAULT_PATH, type SentFiles } from '../../domain/component/sent-files.ts';
import { urlProblem } from '../../domain/url.ts';
import type { ComponentStore } from '../../store/emitters/components.ts';
import { type Storage, storageLimitReached } from '../admission/storage.ts';
import { buildComponent, type BuildContext } from './build-component.ts';

export interface MakeComponentContext extends BuildContext {
  components: Pick<ComponentStore, 'findByContent' | 'renew' | 'checkRoom' | 'save'>;
  limits: Pick<Limits, 'components'>;
  storage: Pick<Storage, 'isFull' | 'limit' | 'add'>;
  runner: Pick<Runner, 'describe'>;
  random: Random;
}

/** The parts of a component that a request may set. */
export interface ComponentParts {
  code: string | undefined;
  /** The entry's path and the other files of `code`. */
  path: string | undefined;
  files: SentFiles | undefined;
  /** Fetched when `code` is undefined; otherwise stored for display only. */
  url: string | undefined;
}

export interface NewComponent extends ComponentParts {
  ownerId: UserId;
}

const PRESIGNED_SECONDS = 300;

/** Builds, loads and saves a component. Every failure is the caller's error, and nothing is saved. */
export async function makeComponent(
  context: MakeComponentContext,
  { ownerId, code, path, files, url }: NewComponent,
): Promise<Component> {
  const { bucket, components, now, random } = context;
  if (code === undefined) checkUrl(url ?? '');
  const built = await buildComponent(context, {
    ownerId,
    ...(code === undefined ? { url } : { code, path, files }),
  });
  const { manifest } = built;
  const { bundleHash, contentHash, codeHash } = manifest;
  const existing = await components.findByContent(ownerId, contentHash);
  if (existing)
    return components.renew(existing, {
      now: now(),
      componentUrl: url ?? null,
      authReads: manifest.authReads,
    });

  // Checked before anything is stored in the bucket; `save` checks again, because several requests may pass here at
  // once.
  await components.checkRoom(ownerId, context.limits.components);
  if (await context.storage.isFull(ownerId)) throw storageLimitReached(context.storage.limit);
  const key = codeKey(ownerId, contentHash);
  const sentFiles = code === undefined || files === undefined ? undefined : JSON.stringify(files);
  await Promise.all([
    bucket.copy(built.bundleKey, bundleKey(ownerId, bundleHash)),
    bucket.putText(key, manifest.code),
    ...(sentFiles === undefined ? [] : [bucket.putText(filesKey(key), sentFiles)]),
  ]);
  const description = await describe(context, ownerId, manifest).catch(async (error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'invalid') await built.forget();
    throw error;
  });
  const at = now();
  const component: Component = {
    id: ComponentId.parse(newId('component', at, random)),
    ownerId,
    published: false,
    codeKey: key,
    path: code === undefined ? nameAt(url ?? '') : (path ?? DEFAULT_PATH),
    hasFiles: code !== undefined && files !== undefined,
    codeHash,
    contentHash,
    bundleHash,
    componentUrl: url ?? null,
    description,
    ...(manifest.authReads === undefined ? {} : { authReads: manifest.authReads }),
    createdAt: at,
    updatedAt: at,
  };
  const bytes = manifest.bundleBytes + Buffer.byteLength(manifest.code) + Buffer.byteLength(sentFiles ?? '');
  context.storage.add(ownerId, bytes);
  return components.save(component, context.limits.components, bytes);
}

const nameAt = (url: string): string => new URL(url).pathname.split('/').at(-1) || DEFAULT_PATH;

function checkUrl(url: string): void {
  const problem = urlProblem(url);
  if (problem === undefined) return;
  throw new ServiceError('invalid_url', `component_url ${problem}.`, {
    details: [{ path: 'component_url', message: problem }],
  });
}

async function describe(
  { bucket, runner }: MakeComponentContext,
  ownerId: UserId,
  { bundleHash, slips }: BuildManifest,
): Promise<ComponentDescription> {
  const url = await bucket.presignGet(bundleKey(ownerId, bundleHash), PRESIGNED_SECONDS);
  const result = await runner.describe({
    ownerId,
    bundle: { hash: bundleHash, url },
    slips,
    timeoutMs: LONGEST_LOAD_MS,
  });
  if (result.ok) return result.description;
  throw loadFailure(result);
}

function loadFailure({ error, logs }: Extract<DescribeResult, { ok: false }>): ServiceError {
  const lines = detailsOf(lastLines(logs));
  const details = lines.length === 0 ? {} : { details: lines };
  // Some native add-ons are found only when the code loads.
  if (error.code === 'native_add_on') return new ServiceError('build_failed', error.message);
  if (error.code === 'timeout') {
    const message = `The component did not load within ${LONGEST_LOAD_MS / 1000} s: its top level must not wait or loop.`;
    return new ServiceError('load_timeout', message, details);
  }
  const message = `The component does not load: ${wordingOf(error)}`;
  return new ServiceError('load_failed', message, details);
}
