/** A position in a JSON text where something is expected. */
type Expected = 'value' | 'element' | 'first name' | 'name' | 'colon' | 'comma' | 'end';

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /[\p{L}\p{N}_$.+-]/u;

/**
 * Says why a text that `JSON.parse` refuses is no JSON, what to do about it, and where. Repeats nothing of the text,
 * which may be an event or a secret.
 */
export function jsonProblem(text: string): string {
  const { at, problem } = new Scanner(text).firstProblem();
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  return `${problem} (line ${line}, column ${column})`;
}

interface Found {
  at: number;
  problem: string;
}

class Scanner {
  readonly #text: string;
  #at = 0;
  #expected: Expected = 'value';
  /** The character that ends each open object or array, the innermost last. */
  readonly #open: ('}' | ']')[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  firstProblem(): Found {
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) return this.#found(this.#atEnd());
      const problem = this.#step(this.#text.charAt(this.#at));
      if (problem !== undefined) return this.#found(problem);
    }
  }

  #found(problem: string): Found {
    return { at: this.#at, problem };
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #atEnd(): string {
    const [open] = this.#open.slice(-1);
    if (open !== undefined) return `the text ends too early: add ${open}`;
    return this.#expected === 'end' ? 'the text cannot be read' : 'the text is empty';
  }

  /** Reads one token. Returns the problem if it is none that is expected here. */
  #step(character: string): string | undefined {
    if (character === '/' || character === '#') return 'JSON has no comments: remove it';
    const [closing] = this.#open.slice(-1);
    switch (this.#expected) {
      case 'end':
        return 'text follows the JSON value: remove it';
      case 'colon':
        return character === ':' ? this.#take('value') : 'a colon is missing after the name';
      case 'comma':
        if (character === closing) return this.#close();
        if (character !== ',') return `a comma or ${closing ?? ''} is missing`;
        return this.#take(closing === '}' ? 'name' : 'value');
      case 'first name':
      case 'name':
        if (character === '"') return this.#string('colon');
        if (character !== '}') return 'the name of a member must be in double quotes';
        return this.#expected === 'name' ? 'remove the comma before }' : this.#close();
      case 'element':
        return character === ']' ? this.#close() : this.#value(character);
      case 'value':
        if (character === ']' && closing === ']') return 'remove the comma before ]';
        return this.#value(character);
    }
  }

  #take(next: Expected): undefined {
    this.#at += 1;
    this.#expected = next;
  }

  #close(): undefined {
    this.#open.pop();
    this.#take(this.#after());
  }

  #after(): Expected {
    return this.#open.length === 0 ? 'end' : 'comma';
  }

  #value(character: string): string | undefined {
    if (character === '{' || character === '[') {
      this.#open.push(character === '{' ? '}' : ']');
      return this.#take(character === '{' ? 'first name' : 'element');
    }
    if (character === '"') return this.#string(this.#after());
    if (character === '\ufeff') return 'remove the byte order mark';
    if (character === "'") return 'a string must be in double quotes, not in single ones';
    LITERAL.lastIndex = this.#at;
    const [literal = ''] = LITERAL.exec(this.#text) ?? [];
    const next = this.#text.charAt(this.#at + literal.length);
    if (literal === '' || WORD.test(next))
      return 'a value must be a string in double quotes, a number, true, false, null, an array or an object';
    this.#at += literal.length - 1;
    return this.#take(this.#after());
  }

  #string(next: Expected): string | undefined {
    const start = this.#at;
    for (this.#at += 1; this.#at < this.#text.length;) {
      const character = this.#text.charAt(this.#at);
      if (character === '"') return this.#take(next);
      if (character < ' ') return 'a line break or tab in a string must be written as \\n or \\t';
      if (character === '\\') {
        ESCAPE.lastIndex = this.#at;
        const [escape] = ESCAPE.exec(this.#text) ?? [];
        if (escape === undefined) return 'a backslash in a string must be written as \\\\';
        this.#at += escape.length;
      } else this.#at += 1;
    }
    this.#at = start;
    return 'the double quote at the end of this string is missing';
  }
}
