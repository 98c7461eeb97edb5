import { cut } from '../../lib/cut.ts';
import { bundleKey } from '../../aws/object-keys.ts';
import type { Bucket } from '../../aws/bucket.ts';
import type { Component } from '../../domain/component/component.ts';
import { componentWarnings } from '../../domain/component/component-warnings.ts';
import type { ComponentId, UserId } from '../../domain/id.ts';
import type { ComponentStore } from '../../store/emitters/components.ts';
import { DEFAULT_PATH, normalPath } from '../../domain/component/sent-files.ts';
import { type ComponentParts, type MakeComponentContext, makeComponent, type NewComponent } from './make-component.ts';
import { notFound } from '../../domain/errors.ts';

export interface SelectComponentContext extends MakeComponentContext {
  components: MakeComponentContext['components'] & Pick<ComponentStore, 'find' | 'findByKey' | 'findPublished'>;
  bucket: MakeComponentContext['bucket'] & Pick<Bucket, 'copy'>;
}

/** The parts of a new component in a request, such as `component_code`. Null counts as absent. */
export type ComponentPartsInput = {
  [Name in keyof ComponentParts as `component_${Name}`]?: ComponentParts[Name] | null;
};

export interface ComponentSelectors extends ComponentPartsInput {
  component_id?: ComponentId | null | undefined;
  key?: string | null | undefined;
}

/** Whether a request body selects a component. */
export const hasSelector = (selectors: ComponentSelectors): boolean =>
  selectors.component_id != null ||
  selectors.component_code != null ||
  selectors.component_url != null ||
  selectors.key != null;

/** Warnings about the code that the request brings. */
export const codeWarnings = (
  { component_id: id, component_code: code, component_url: url }: ComponentSelectors,
  { description }: Component,
): string[] => (id == null && (code ?? url) != null ? componentWarnings(description) : []);

/** Whether the component is the user's own, or published by the operator. */
export const mayUse = (userId: UserId, { ownerId, published }: Component): boolean => ownerId === userId || published;

export const componentNotFound = (name: string) => notFound(`component ${cut(name, 100)}`);

export const newComponentOf = (
  ownerId: UserId,
  { component_code: code, component_path: path, component_files: files, component_url: url }: ComponentPartsInput,
): NewComponent => ({
  ownerId,
  code: code ?? undefined,
  path: path ?? undefined,
  files: files ?? undefined,
  url: url ?? undefined,
});

/** Problems of `component_path` and `component_files`, by the parameter's name. */
export function filesProblem({
  component_code: code,
  component_path: path,
  component_files: files,
}: ComponentSelectors): { path: string; message: string } | undefined {
  const named = files == null ? 'component_path' : 'component_files';
  if (code == null && (path != null || files != null))
    return { path: named, message: 'must be given together with component_code' };
  const entry = normalPath(path ?? DEFAULT_PATH);
  const isTwice = (files ?? []).some(([name]) => normalPath(name) === entry);
  return isTwice
    ? { path: 'component_files', message: 'must not contain the entry, which is component_code' }
    : undefined;
}

/**
 * Finds or makes the component of a request: by id, else by code, else by URL, else by key. Copies a published
 * component's bundle to the user's own prefix.
 */
export async function selectComponent(
  context: SelectComponentContext,
  userId: UserId,
  { component_id: id, key, ...selectors }: ComponentSelectors,
): Promise<Component> {
  if (id != null) return usable(context, userId, { component: await context.components.find(id), name: id });
  if (key == null || selectors.component_code != null || selectors.component_url != null)
    return makeComponent(context, newComponentOf(userId, selectors));
  const { components } = context;
  const component = (await components.findByKey(userId, key)) ?? (await components.findPublished(key));
  return usable(context, userId, { component, name: `with the key ${key}` });
}

/** The component, if the user may use it. */
async function usable(
  { bucket }: SelectComponentContext,
  userId: UserId,
  { component, name }: { component: Component | undefined; name: string },
): Promise<Component> {
  if (!component || !mayUse(userId, component)) throw componentNotFound(name);
  const { ownerId, bundleHash } = component;
  if (ownerId !== userId) await bucket.copy(bundleKey(ownerId, bundleHash), bundleKey(userId, bundleHash));
  return component;
}
