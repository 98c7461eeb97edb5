import { SyntaxProblem } from './lexer.ts';
import { Parser, type Path } from './parser.ts';

/** The right side of a SET. */
export type Term =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly ref: string }
  | { readonly kind: 'sum'; readonly sign: '+' | '-'; readonly left: Term; readonly right: Term }
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: Term }
  | { readonly kind: 'list_append'; readonly left: Term; readonly right: Term };

export type Action =
  | { readonly kind: 'set'; readonly path: Path; readonly term: Term }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'add' | 'delete'; readonly path: Path; readonly ref: string };

const SECTIONS = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html */
export class UpdateParser extends Parser {
  update(): Action[] {
    const actions: Action[] = [];
    const seen = new Set<string>();
    for (;;) {
      const section = SECTIONS.find((name) => this.accept(name));
      if (section === undefined) break;
      if (seen.has(section)) {
        throw new SyntaxProblem(`The "${section}" section can only be used once in an update expression;`);
      }
      seen.add(section);
      actions.push(...this.list(() => this.#action(section)));
    }
    if (actions.length === 0) throw this.problem();
    return actions;
  }

  #action(section: (typeof SECTIONS)[number]): Action {
    const path = this.path();
    switch (section) {
      case 'SET':
        this.expect('=');
        return { kind: 'set', path, term: this.#term() };
      case 'REMOVE':
        return { kind: 'remove', path };
      default: {
        const ref = this.valueRef();
        if (ref === undefined) throw this.problem();
        return { kind: section === 'ADD' ? 'add' : 'delete', path, ref };
      }
    }
  }

  #term(): Term {
    const left = this.#factor();
    const sign = (['+', '-'] as const).find((each) => this.acceptOperator(each));
    return sign === undefined ? left : { kind: 'sum', sign, left, right: this.#factor() };
  }

  #factor(): Term {
    if (this.accept('(')) {
      const term = this.#term();
      this.expect(')');
      return term;
    }
    const ref = this.valueRef();
    if (ref !== undefined) return { kind: 'value', ref };
    const name = this.acceptFunction();
    return name === undefined ? { kind: 'path', path: this.path() } : this.#call(name);
  }

  #call(name: string): Term {
    if (name !== 'if_not_exists' && name !== 'list_append') {
      throw new SyntaxProblem(`Invalid function name; function: ${name}`);
    }
    const terms = this.list(() => this.#term());
    this.expect(')');
    const [left, right] = terms;
    if (!left || !right || terms.length !== 2) {
      throw new SyntaxProblem(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${terms.length}`,
      );
    }
    if (name === 'list_append') return { kind: name, left, right };
    if (left.kind !== 'path') {
      throw new SyntaxProblem(`Operator or function requires a document path; operator or function: ${name}`);
    }
    return { kind: name, path: left.path, otherwise: right };
  }
}
