import { SyntaxProblem } from './lexer.ts';
import { Parser, type Path } from './parser.ts';

/** The right side of a SET. */
export type Term =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly ref: string }
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: Term };

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

  /** Sums and `list_append` are not known: ADD counts, and no item has a list that grows. */
  #term(): Term {
    const ref = this.valueRef();
    if (ref !== undefined) return { kind: 'value', ref };
    const name = this.acceptFunction();
    if (name === undefined) return { kind: 'path', path: this.path() };
    if (name !== 'if_not_exists') throw new SyntaxProblem(`Invalid function name; function: ${name}`);
    const path = this.path();
    this.expect(',');
    const otherwise = this.#term();
    this.expect(')');
    return { kind: name, path, otherwise };
  }
}
