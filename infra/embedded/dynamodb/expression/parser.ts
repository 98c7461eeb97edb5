import { syntaxProblem, SyntaxProblem, tokenise, type Token } from './lexer.ts';
import { isReserved } from './reserved-words.ts';

/** A step of a document path: a name, or a `#placeholder` for one. No expression here reads a member of a list. */
export type Step = { readonly name: string } | { readonly ref: string };
export type Path = readonly [Step, ...Step[]];

/** The common part of all expression parsers: a cursor over tokens, paths, and the placeholders of the expression. */
export class Parser {
  readonly nameRefs = new Set<string>();
  readonly valueRefs = new Set<string>();
  /** The first steps of all paths. */
  readonly heads: Step[] = [];
  /** Operators and functions, without the `AND` of `BETWEEN`. */
  operators = 0;
  readonly #tokens: readonly Token[];
  #position = 0;
  readonly #source: string;
  #reserved: string | undefined;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenise(source);
  }

  get next(): Token {
    return this.#tokens[this.#position] as Token;
  }

  problem(): SyntaxProblem {
    return syntaxProblem(this.#source, this.#tokens, this.#position);
  }

  skip(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#position += 1;
    return token;
  }

  /** Consumes an operator if it is next. */
  acceptOperator(text: string): boolean {
    const isNext = this.accept(text);
    if (isNext) this.operators += 1;
    return isNext;
  }

  /** Consumes a sign or keyword if it is next. */
  accept(text: string): boolean {
    const { kind, text: found } = this.next;
    if (kind === 'sign' ? found !== text : kind !== 'name' || found.toUpperCase() !== text) return false;
    this.#position += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.problem();
  }

  /** Consumes a function name: a word before a parenthesis. */
  acceptFunction(): string | undefined {
    const following = this.#tokens[this.#position + 1];
    if (this.next.kind !== 'name' || following?.kind !== 'sign' || following.text !== '(') return undefined;
    const name = this.next.text;
    this.operators += 1;
    this.#position += 2;
    return name;
  }

  list<T>(parse: () => T): T[] {
    const members = [parse()];
    while (this.accept(',')) members.push(parse());
    return members;
  }

  valueRef(): string | undefined {
    if (this.next.kind !== 'valueRef') return undefined;
    const { text } = this.skip();
    this.valueRefs.add(text);
    return text;
  }

  path(): Path {
    const path: [Step, ...Step[]] = [this.#step()];
    this.heads.push(path[0]);
    while (this.accept('.')) path.push(this.#step());
    return path;
  }

  /** The texts of the remaining tokens. */
  lookahead(): string[] {
    return this.#tokens.slice(this.#position).map(({ text }) => text);
  }

  /** Ends the parse. Throws if a token follows, or if a name is a reserved word. */
  end(): void {
    if (this.next.kind !== 'end') throw this.problem();
    if (this.#reserved !== undefined) {
      throw new SyntaxProblem(`Attribute name is a reserved keyword; reserved keyword: ${this.#reserved}`);
    }
  }

  #step(): Step {
    const { kind, text } = this.next;
    if (kind !== 'name' && kind !== 'nameRef') throw this.problem();
    this.#position += 1;
    if (kind === 'nameRef') {
      this.nameRefs.add(text);
      return { ref: text };
    }
    if (isReserved(text)) this.#reserved ??= text;
    return { name: text };
  }
}
