/** One word, placeholder or sign of an expression. */
export interface Token {
  readonly kind: 'name' | 'nameRef' | 'valueRef' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const TOKEN = /\s*(?:([A-Za-z][A-Za-z0-9_]*)|(#[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)|(<>|<=|>=|[=<>(),.]))/y;
const KINDS = ['name', 'nameRef', 'valueRef', 'sign'] as const;

export class SyntaxProblem extends Error {}

/** AWS's message shows the wrong token and its neighbours. */
export function syntaxProblem(source: string, tokens: readonly Token[], position: number): SyntaxProblem {
  const token = tokens[position];
  const near = source.slice(tokens[position - 1]?.at ?? 0, endOf(tokens[position + 1] ?? token) ?? source.length);
  return new SyntaxProblem(`Syntax error; token: "${token?.text ?? '<EOF>'}", near: "${near.trim()}"`);
}

function endOf(token: Token | undefined): number | undefined {
  return token && token.kind !== 'end' ? token.at + token.text.length : undefined;
}

export function tokenise(source: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  for (;;) {
    const match = TOKEN.exec(source);
    if (!match) break;
    at = TOKEN.lastIndex;
    const group = match.slice(1).findIndex((text) => text !== undefined);
    const text = match[group + 1] ?? '';
    tokens.push({ kind: KINDS[group] ?? 'sign', text, at: at - text.length });
  }
  const rest = source.slice(at).trim();
  if (rest !== '') {
    throw new SyntaxProblem(
      `Syntax error; token: "${rest[0]}", near: "${source.slice(tokens.at(-1)?.at ?? 0, source.indexOf(rest, at) + 2)}"`,
    );
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: source.length });
  return tokens;
}
