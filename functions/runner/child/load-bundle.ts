import { pathToFileURL } from 'node:url';
import { isDict } from '../../../shared/runtime/guards.ts';
import { componentIn, type LoadedComponent } from '../../../shared/runtime/load.ts';
import { RuntimeError, runErrorOf } from '../../../shared/runtime/thrown.ts';

/** Evaluates a bundle. Throws an error with the reason when the bundle cannot be loaded. */
export async function loadBundle(path: string): Promise<LoadedComponent> {
  let namespace: unknown;
  try {
    namespace = await import(pathToFileURL(path).href);
  } catch (thrown) {
    const { name, message, stack } = runErrorOf(thrown);
    const error =
      isDict(thrown) && typeof thrown['nativeAddOn'] === 'string'
        ? new RuntimeError('native_add_on', message)
        : new RuntimeError('load_failed', message);
    Object.assign(error, { name, stack });
    throw error;
  }
  return componentIn(namespace);
}
