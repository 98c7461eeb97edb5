import { bundleKey } from '../../aws/bucket.ts';
import type { Component } from '../../domain/component.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ComponentId, UserId } from '../../domain/id.ts';
import { type ComponentServices, makeComponent } from './make-component.ts';

export interface ComponentSelectors {
  component_id?: ComponentId | null | undefined;
  component_code?: string | null | undefined;
  component_url?: string | null | undefined;
}

/** Their own, or one that the operator published. */
export const mayUse = (userId: UserId, { ownerId, published }: Component): boolean =>
  ownerId === userId || published;

export const componentNotFound = (name: string) =>
  new ServiceError('not_found', 'not_found', `There is no component ${name.slice(0, 100)}.`);

/** The component that a source is to run: by id before by code before by address. Its bundle is then among the user's own. */
export async function selectComponent(
  services: ComponentServices,
  userId: UserId,
  { component_id: id, component_code: code, component_url: url }: ComponentSelectors,
): Promise<Component> {
  if (!id) {
    return makeComponent(services, { ownerId: userId, code: code ?? undefined, url: url ?? undefined });
  }
  const component = await services.components.find(id);
  if (!component || !mayUse(userId, component)) throw componentNotFound(id);
  const { ownerId, bundleHash } = component;
  if (ownerId !== userId)
    await services.bucket.copy(bundleKey(ownerId, bundleHash), bundleKey(userId, bundleHash));
  return component;
}
