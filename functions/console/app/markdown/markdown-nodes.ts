/** The members of a token of marked that are drawn. */
export interface MarkdownNode {
  type: string;
  /** Source text of the token. */
  raw: string;
  text?: string;
  href?: string;
  ordered?: boolean;
  tokens?: MarkdownNode[];
  items?: MarkdownNode[];
}

/** A longer text is shown as it is: reading it would take a time that a person notices. */
export const LONGEST_MARKDOWN = 5_000;

/** Deeper quotes and lists are shown as they were written. */
const MAX_DEPTH = 6;

/** A line that begins with more levels. The lexer would go through the rest of the text for each of them. */
const IS_DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){7}/m;

/** The parts of a text in Markdown. HTML and images stay text. */
export function nodesOf(markdown: string, lexer: (text: string) => MarkdownNode[]): readonly MarkdownNode[] {
  const plain = [{ type: 'text', raw: markdown }];
  if (markdown.length > LONGEST_MARKDOWN || IS_DEEP.test(markdown)) return plain;
  try {
    return lexer(markdown).map((node) => withoutDepth(node, MAX_DEPTH));
  } catch {
    return plain;
  }
}

function withoutDepth({ tokens, items, ...node }: MarkdownNode, depth: number): MarkdownNode {
  if (depth === 0) return { type: 'text', raw: node.raw };
  const inside = (nodes: MarkdownNode[]) => nodes.map((each) => withoutDepth(each, depth - 1));
  return { ...node, ...(tokens && { tokens: inside(tokens) }), ...(items && { items: inside(items) }) };
}

/** The address of a link that may be followed: to the web or to a mailbox. A relative one has no page here. */
export function webAddress(target = ''): string | undefined {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  return url && ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
}

/** The text of nodes without marks, in one line. */
export const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map(wordsOf).join('').replace(/\s+/g, ' ').trim();

const INLINE = new Set(['text', 'escape', 'strong', 'em', 'codespan', 'link', 'del', 'html', 'image']);

function wordsOf({ type, raw, text = raw, href, tokens, items }: MarkdownNode): string {
  if (type === 'br') return ' ';
  const isShownAsWritten = type === 'image' || (type === 'link' && webAddress(href) === undefined);
  const inside = items ?? tokens;
  const words = inside && !isShownAsWritten ? inside.map(wordsOf).join('') : isShownAsWritten ? raw : text;
  return INLINE.has(type) ? words : `${words} `;
}
