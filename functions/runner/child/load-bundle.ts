import { pathToFileURL } from 'node:url';
import { isDict } from '../../../shared/runtime/guards.ts';
import { componentIn, type LoadedComponent } from '../../../shared/runtime/load.ts';
import { LoadFailure } from '../../../shared/runtime/thrown.ts';

/** Evaluates a bundle. Throws an error with the reason when the bundle cannot be loaded. */
export async function loadBundle(path: string): Promise<LoadedComponent> {
  let namespace: unknown;
  try {
    namespace = await import(pathToFileURL(path).href);
  } catch (thrown) {
    const isAddOn = isDict(thrown) && typeof thrown['nativeAddOn'] === 'string';
    throw new LoadFailure(isAddOn ? 'native_add_on' : 'load_failed', thrown);
  }
  return componentIn(namespace);
}
