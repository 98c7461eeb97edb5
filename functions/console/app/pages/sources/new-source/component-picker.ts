import { createComponent, findComponent } from '../../../api/component-api.ts';
import type { Component, Single } from '../../../api/wire.ts';

/** The ways to give the component of a new source, by the names of their tabs. */
export const ORIGINS = ['Code', 'Address', 'Registry key'] as const;
export type Origin = (typeof ORIGINS)[number];

/** The component of a text: its code, the address of its code, or its key. */
export function pickComponent(origin: Origin, text: string): Promise<Single<Component>> {
  switch (origin) {
    case 'Code':
      return createComponent({ component_code: text });
    case 'Address':
      return createComponent({ component_url: text.trim() });
    case 'Registry key':
      return findComponent(text.trim());
  }
}
