import { syntaxProblem, SyntaxProblem, tokenise, type Token } from './lexer.ts';
import { isReserved } from './reserved-words.ts';

/** A step of a document path: a name, a `#placeholder` for one, or a list index. */
export type Step = { readonly name: string } | { readonly ref: string } | number;
export type Path = readonly [Step, ...Step[]];

/** What every kind of expression shares: a cursor over tokens, paths, and the placeholders that occurred. */
export class Parser {
  readonly nameRefs = new Set<string>();
  readonly valueRefs = new Set<string>();
  private readonly tokens: readonly Token[];
  private position = 0;
  private readonly source: string;
  private reserved: string | undefined;

  constructor(source: string) {
    this.source = source;
    this.tokens = tokenise(source);
  }

  get next(): Token {
    return this.tokens[this.position] as Token;
  }

  problem(): SyntaxProblem {
    return syntaxProblem(this.source, this.tokens, this.position);
  }

  skip(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.position += 1;
    return token;
  }

  /** Takes a sign or a keyword if it comes next. */
  accept(text: string): boolean {
    const { kind, text: found } = this.next;
    if (kind === 'sign' ? found !== text : kind !== 'name' || found.toUpperCase() !== text) return false;
    this.position += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.problem();
  }

  /** A function's name: a word with a parenthesis behind it. */
  acceptFunction(): string | undefined {
    const following = this.tokens[this.position + 1];
    if (this.next.kind !== 'name' || following?.kind !== 'sign' || following.text !== '(') return undefined;
    const name = this.next.text;
    this.position += 2;
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
    const path: [Step, ...Step[]] = [this.step()];
    for (;;) {
      if (this.accept('.')) path.push(this.step());
      else if (this.accept('[')) {
        if (this.next.kind !== 'index') throw this.problem();
        path.push(Number(this.skip().text));
        this.expect(']');
      } else return path;
    }
  }

  /** The texts still to come. */
  lookahead(): string[] {
    return this.tokens.slice(this.position).map(({ text }) => text);
  }

  /** Ends the parse: nothing may follow, and no bare word may be a reserved one. */
  end(): void {
    if (this.next.kind !== 'end') throw this.problem();
    if (this.reserved !== undefined) {
      throw new SyntaxProblem(`Attribute name is a reserved keyword; reserved keyword: ${this.reserved}`);
    }
  }

  private step(): Step {
    const { kind, text } = this.next;
    if (kind !== 'name' && kind !== 'nameRef') throw this.problem();
    this.position += 1;
    if (kind === 'nameRef') {
      this.nameRefs.add(text);
      return { ref: text };
    }
    if (isReserved(text)) this.reserved ??= text;
    return { name: text };
  }
}
