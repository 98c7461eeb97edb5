import type { Component } from '../../domain/component/component.ts';
import { ComponentId, hasKind, type UserId } from '../../domain/id.ts';
import type { ComponentStore } from '../../store/emitters/components.ts';
import { componentNotFound, mayUse } from './select-component.ts';

/** A component that the user may use, by its id, or the user's newest one with this key. */
export async function usableComponent(
  { components }: { components: Pick<ComponentStore, 'find' | 'findByKey'> },
  userId: UserId,
  key: string,
): Promise<Component> {
  const component = hasKind('component', key) ? await withId(components, key) : await components.findByKey(userId, key);
  if (!component || !mayUse(userId, component)) throw componentNotFound(key);
  return component;
}

async function withId(components: Pick<ComponentStore, 'find'>, key: string): Promise<Component | undefined> {
  const id = ComponentId.safeParse(key);
  return id.success ? components.find(id.data) : undefined;
}

export async function publishedComponent(
  { components }: { components: Pick<ComponentStore, 'findPublished'> },
  key: string,
): Promise<Component> {
  const component = await components.findPublished(key);
  if (!component) throw componentNotFound(key);
  return component;
}
