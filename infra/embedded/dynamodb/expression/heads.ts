import { type Condition, type Operand } from './condition.ts';
import { headOf, type Scope } from './scope.ts';

/** The top-level attributes that a condition reads. */
export function* headsOf(condition: Condition, scope: Scope): Iterable<string> {
  switch (condition.kind) {
    case 'and':
    case 'or':
      yield* headsOf(condition.left, scope);
      yield* headsOf(condition.right, scope);
      return;
    case 'not':
      yield* headsOf(condition.condition, scope);
      return;
    case 'compare':
      yield* operandHeads([condition.left, condition.right], scope);
      return;
    case 'between':
      yield* operandHeads([condition.operand, condition.low, condition.high], scope);
      return;
    case 'in':
      yield* operandHeads([condition.operand, ...condition.choices], scope);
      return;
    case 'function':
      yield* operandHeads(condition.operands, scope);
  }
}

function* operandHeads(operands: readonly Operand[], scope: Scope): Iterable<string> {
  for (const operand of operands) {
    if (operand.kind === 'path') yield headOf(operand.path, scope);
    else if (operand.kind === 'size') yield* operandHeads([operand.of], scope);
  }
}
