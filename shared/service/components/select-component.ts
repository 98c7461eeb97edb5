import { bundleKey } from '../../aws/object-keys.ts';
import type { Bucket } from '../../aws/bucket.ts';
import type { Component } from '../../domain/component.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ComponentId, UserId } from '../../domain/id.ts';
import type { ComponentStore } from '../../store/components.ts';
import { type MakeComponentContext, makeComponent } from './make-component.ts';

export interface SelectComponentContext extends MakeComponentContext {
  components: MakeComponentContext['components'] & Pick<ComponentStore, 'find'>;
  bucket: MakeComponentContext['bucket'] & Pick<Bucket, 'copy'>;
}

export interface ComponentSelectors {
  component_id?: ComponentId | null | undefined;
  component_code?: string | null | undefined;
  component_url?: string | null | undefined;
}

/** Whether a request body selects a component. */
export const hasSelector = (selectors: ComponentSelectors): boolean =>
  selectors.component_id != null || selectors.component_code != null || selectors.component_url != null;

/** Whether the component is the user's own, or published by the operator. */
export const mayUse = (userId: UserId, { ownerId, published }: Component): boolean =>
  ownerId === userId || published;

export const componentNotFound = (name: string) =>
  new ServiceError('not_found', 'not_found', `There is no component ${name.slice(0, 100)}.`);

/**
 * Finds or makes the component of a request: by id, else by code, else by URL. Copies a published component's bundle to the user's own
 * prefix.
 */
export async function selectComponent(
  context: SelectComponentContext,
  userId: UserId,
  { component_id: id, component_code: code, component_url: url }: ComponentSelectors,
): Promise<Component> {
  if (!id) {
    return makeComponent(context, { ownerId: userId, code: code ?? undefined, url: url ?? undefined });
  }
  const component = await context.components.find(id);
  if (!component || !mayUse(userId, component)) throw componentNotFound(id);
  const { ownerId, bundleHash } = component;
  if (ownerId !== userId)
    await context.bucket.copy(bundleKey(ownerId, bundleHash), bundleKey(userId, bundleHash));
  return component;
}
