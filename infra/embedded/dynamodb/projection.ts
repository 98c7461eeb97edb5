import type { Input } from '../call.ts';
import { parseProjection } from './expression/cache.ts';
import { checkDistinctPaths } from './expression/check-paths.ts';
import type { Path } from './expression/parser.ts';
import { project } from './expression/project.ts';
import { bind, type Scope } from './expression/scope.ts';
import { textIn } from './request.ts';
import { giveItem, type Attributes } from './values/value.ts';

/** The part of an item that a read requests. */
export interface Projection {
  readonly paths: readonly Path[] | undefined;
  readonly scope: Scope;
}

export function projectionOf(input: Input): Projection {
  const text = textIn(input, 'ProjectionExpression');
  const expression = text === undefined ? undefined : parseProjection(text);
  const scope = bind(input, [['ProjectionExpression', expression]]);
  if (expression) checkDistinctPaths('ProjectionExpression', expression.ast, scope);
  return { paths: expression?.ast, scope };
}

/** A copy of an item, or of the requested part. */
export function show(item: Attributes, { paths, scope }: Projection): Attributes {
  return paths ? project(paths, item, scope) : giveItem(item);
}
