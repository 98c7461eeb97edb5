import { hasAppsOfItsOwn, type MakeThis, withApps } from '../../../shared/runtime/configure.ts';
import type { PropDeclaration } from '../../../shared/runtime/declarations.ts';
import type { LoadedComponent } from '../../../shared/runtime/load.ts';
import type { ChildRequest } from '../child-request.ts';

/** Declarations of the last request, by the values that they were made from. */
let completed: { key: string; declarations: Promise<PropDeclaration[]> } | undefined;

/**
 * Declarations with the methods of apps that only `additionalProps` declares. It is called once for the same values.
 */
export function completeDeclarations(
  declarations: PropDeclaration[],
  component: LoadedComponent,
  { additionalProps = [], props }: Pick<ChildRequest, 'additionalProps' | 'props'>,
  makeThis: MakeThis,
): PropDeclaration[] | Promise<PropDeclaration[]> {
  if (!hasAppsOfItsOwn(component.declarations, additionalProps)) return declarations;
  const key = JSON.stringify([additionalProps, props]);
  if (completed?.key === key) return completed.declarations;
  const made = withApps(component, additionalProps, makeThis);
  made.catch(() => (completed = undefined));
  completed = { key, declarations: made };
  return made;
}
