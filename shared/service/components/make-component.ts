import { bundleKey, codeKey } from '../../aws/object-keys.ts';
import type { DescribeResult, Runner } from '../../aws/runner.ts';
import type { Component, ComponentDescription } from '../../domain/component.ts';
import { ServiceError } from '../../domain/errors.ts';
import { detailsOf, lastLines, wordingOf } from '../../domain/failure-report.ts';
import { ComponentId, newId, type Random, type UserId } from '../../domain/id.ts';
import { urlProblem } from '../../domain/url.ts';
import type { ComponentStore } from '../../store/components.ts';
import { buildComponent, type BuildContext } from './build-component.ts';

export interface MakeComponentContext extends BuildContext {
  components: Pick<ComponentStore, 'findByContent' | 'renew' | 'save'>;
  runner: Pick<Runner, 'describe'>;
  random: Random;
}

export interface NewComponent {
  ownerId: UserId;
  code: string | undefined;
  /** Fetched when there is no code; otherwise it only records where the code lives. */
  url: string | undefined;
}

/** Loading a built component may take this long (decisions, "HTTP"). */
const LOAD_MS = 5_000;
const PRESIGNED_SECONDS = 300;

/** Builds, loads and saves a component; what fails is the caller's to mend, and nothing is left. */
export async function makeComponent(
  services: MakeComponentContext,
  wanted: NewComponent,
): Promise<Component> {
  const { bucket, components, now, random } = services;
  const { ownerId, code, url } = wanted;
  if (code === undefined) checkUrl(url ?? '');
  const built = await buildComponent(services, {
    ownerId,
    ...(code === undefined ? { url } : { code }),
  });
  const { manifest } = built;
  const { bundleHash, contentHash, codeHash } = manifest;
  const existing = await components.findByContent(ownerId, contentHash);
  if (existing) return components.renew(existing, now(), url ?? null);

  const key = codeKey(ownerId, contentHash);
  await Promise.all([
    bucket.copy(built.bundleKey, bundleKey(ownerId, bundleHash)),
    bucket.putText(key, manifest.code),
  ]);
  const description = await describe(services, ownerId, bundleHash).catch(async (error: unknown) => {
    await built.forget();
    throw error;
  });
  const at = now();
  return components.save({
    id: ComponentId.parse(newId('component', at, random)),
    ownerId,
    published: false,
    codeKey: key,
    codeHash,
    contentHash,
    bundleHash,
    componentUrl: url ?? null,
    description,
    createdAt: at,
    updatedAt: at,
  });
}

function checkUrl(url: string): void {
  const problem = urlProblem(url);
  if (problem === undefined) return;
  throw new ServiceError('invalid', 'invalid_url', `component_url ${problem}.`, {
    details: [{ path: 'component_url', message: problem }],
  });
}

/** Evaluates the component where user code belongs, and learns what it is. */
async function describe(
  { bucket, runner }: MakeComponentContext,
  ownerId: UserId,
  bundleHash: string,
): Promise<ComponentDescription> {
  const url = await bucket.presignGet(bundleKey(ownerId, bundleHash), PRESIGNED_SECONDS);
  const result = await runner.describe({ ownerId, bundle: { hash: bundleHash, url }, timeoutMs: LOAD_MS });
  if (result.ok) return result.description;
  throw loadFailure(result);
}

function loadFailure({ error, logs }: Extract<DescribeResult, { ok: false }>): ServiceError {
  const lines = detailsOf(lastLines(logs));
  const details = lines.length === 0 ? {} : { details: lines };
  // Only some packages can be told by their code alone to need one.
  if (error.code === 'native_add_on') return new ServiceError('invalid', 'build_failed', error.message);
  if (error.code === 'timeout') {
    const message = `The component did not load within ${LOAD_MS / 1000} s.`;
    return new ServiceError('invalid', 'load_timeout', message, details);
  }
  const message = `The component does not load: ${wordingOf(error)}`;
  return new ServiceError('invalid', 'load_failed', message, details);
}
