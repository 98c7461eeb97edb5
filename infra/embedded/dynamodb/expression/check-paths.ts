import { validationException } from '../../common-errors.ts';
import { type Path } from './parser.ts';
import { pathText, resolveStep, type Scope } from './scope.ts';

/** Refuses two paths of one expression if one contains the other. */
export function checkDistinctPaths(member: string, paths: readonly Path[], scope: Scope): void {
  for (let i = 1; i < paths.length; i += 1) {
    for (let j = 0; j < i; j += 1) checkPair(member, paths[j] as Path, paths[i] as Path, scope);
  }
}

function checkPair(member: string, one: Path, two: Path, scope: Scope): void {
  const common = Math.min(one.length, two.length);
  for (let i = 0; i < common; i += 1)
    if (resolveStep(one[i] as Path[0], scope) !== resolveStep(two[i] as Path[0], scope)) return;
  throw validationException(
    `Invalid ${member}: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${pathText(one, scope)}, path two: ${pathText(two, scope)}`,
  );
}
