import { SyntaxProblem } from './lexer.ts';
import { Parser, type Path } from './parser.ts';

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly ref: string }
  | { readonly kind: 'size'; readonly path: Path };

const conditionFunctions = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  begins_with: 2,
  contains: 2,
} as const;

export type ConditionFunction = keyof typeof conditionFunctions;

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare';
      readonly operator: Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly choices: readonly Operand[] }
  | { readonly kind: 'function'; readonly name: ConditionFunction; readonly operands: readonly Operand[] };

const MAX_CHOICES = 100;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html */
export class ConditionParser extends Parser {
  condition(): Condition {
    let left = this.#conjunction();
    while (this.acceptOperator('OR')) left = { kind: 'or', left, right: this.#conjunction() };
    return left;
  }

  #conjunction(): Condition {
    let left = this.#negation();
    while (this.acceptOperator('AND')) left = { kind: 'and', left, right: this.#negation() };
    return left;
  }

  #negation(): Condition {
    return this.acceptOperator('NOT') ? { kind: 'not', condition: this.#negation() } : this.#primary();
  }

  #primary(): Condition {
    if (this.accept('(')) {
      if (this.next.text === '(' && this.#isDoubled())
        throw new SyntaxProblem('The expression has redundant parentheses;');
      const condition = this.condition();
      this.expect(')');
      return condition;
    }
    const name = this.acceptFunction();
    if (name !== undefined && name !== 'size') return this.#call(name);
    return this.#comparison(name === 'size' ? this.#size() : this.#operand());
  }

  /** `((a = b))`: the inner parenthesis closes right before the outer one. */
  #isDoubled(): boolean {
    const ahead = this.lookahead();
    let depth = 0;
    for (let i = 0; i < ahead.length; i += 1) {
      if (ahead[i] === '(') depth += 1;
      else if (ahead[i] === ')') {
        depth -= 1;
        if (depth === 0) return ahead[i + 1] === ')';
      }
    }
    return false;
  }

  #call(name: string): Condition {
    if (!Object.hasOwn(conditionFunctions, name)) throw new SyntaxProblem(`Invalid function name; function: ${name}`);
    const operands = this.list(() => this.#operand());
    this.expect(')');
    const known = name as ConditionFunction;
    if (operands.length !== conditionFunctions[known]) {
      throw new SyntaxProblem(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
      );
    }
    if (known.startsWith('attribute_') && operands[0]?.kind !== 'path') {
      throw new SyntaxProblem(`Operator or function requires a document path; operator or function: ${name}`);
    }
    return { kind: 'function', name: known, operands };
  }

  #comparison(operand: Operand): Condition {
    if (this.acceptOperator('BETWEEN')) {
      const low = this.#operand();
      this.expect('AND');
      return { kind: 'between', operand, low, high: this.#operand() };
    }
    if (this.acceptOperator('IN')) {
      this.expect('(');
      const choices = this.list(() => this.#operand());
      this.expect(')');
      if (choices.length > MAX_CHOICES) {
        throw new SyntaxProblem(
          `The IN operator is provided with too many operands; number of operands: ${choices.length}`,
        );
      }
      return { kind: 'in', operand, choices };
    }
    const operator = this.next.text;
    if (this.next.kind !== 'sign' || !isComparator(operator)) throw this.problem();
    this.skip();
    this.operators += 1;
    return { kind: 'compare', operator, left: operand, right: this.#operand() };
  }

  #operand(): Operand {
    const ref = this.valueRef();
    if (ref !== undefined) return { kind: 'value', ref };
    const name = this.acceptFunction();
    if (name === undefined) return { kind: 'path', path: this.path() };
    if (name !== 'size') {
      const problem = Object.hasOwn(conditionFunctions, name)
        ? 'The function is not allowed to be used this way in an expression'
        : 'Invalid function name';
      throw new SyntaxProblem(`${problem}; function: ${name}`);
    }
    return this.#size();
  }

  #size(): Operand {
    const path = this.path();
    this.expect(')');
    return { kind: 'size', path };
  }
}

function isComparator(text: string): text is Comparator {
  return text === '=' || text === '<>' || text === '<' || text === '<=' || text === '>' || text === '>=';
}
