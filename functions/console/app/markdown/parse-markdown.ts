/** A part of a line. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong'; parts: readonly Inline[] }
  | { kind: 'emphasis'; parts: readonly Inline[] }
  | { kind: 'link'; href: string; parts: readonly Inline[] };

export type Block =
  | { kind: 'paragraph'; parts: readonly Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: readonly (readonly Inline[])[] };

/** A longer text is shown as it is: reading it would take a time that a person notices. */
export const LONGEST_MARKDOWN = 5_000;

/** Emphasis in a link in emphasis is enough. */
const MAX_DEPTH = 4;

const ITEM = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const FENCE = /^\s{0,3}(```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+/;

/**
 * The blocks of a text with marks of Markdown: paragraphs, lists, code, emphasis and links to http(s) addresses.
 * Everything else, HTML too, is text.
 */
export function parseMarkdown(markdown: string): readonly Block[] {
  if (markdown.length > LONGEST_MARKDOWN) return [{ kind: 'paragraph', parts: [{ kind: 'text', text: markdown }] }];
  const lines = markdown.split(/\r\n?|\n/);
  const blocks: Block[] = [];
  while (lines.length > 0) {
    const [line = ''] = lines;
    if (line.trim() === '') lines.shift();
    else if (FENCE.test(line)) blocks.push(takeCode(lines));
    else if (ITEM.test(line)) blocks.push(takeList(lines));
    else blocks.push(takeParagraph(lines));
  }
  return blocks;
}

/** The text of a Markdown text without its marks, in one line. */
export const withoutMarks = (markdown: string): string =>
  parseMarkdown(markdown)
    .map((block) => {
      if (block.kind === 'code') return block.text;
      return block.kind === 'list' ? block.items.map(textOf).join(' ') : textOf(block.parts);
    })
    .join(' ');

const textOf = (parts: readonly Inline[]): string =>
  parts.map((part) => ('text' in part ? part.text : textOf(part.parts))).join('');

/** Takes the lines of a fenced block. One without an end goes to the end of the text. */
function takeCode(lines: string[]): Block {
  const [, fence = ''] = FENCE.exec(lines.shift() ?? '') ?? [];
  const end = lines.findIndex((line) => line.trimStart().startsWith(fence));
  const code = lines.splice(0, end === -1 ? lines.length : end);
  lines.shift();
  return { kind: 'code', text: code.join('\n') };
}

/** Takes the items of a list. A line without a mark goes on with the item before it. */
function takeList(lines: string[]): Block {
  const isOrdered = ITEM.exec(lines[0] ?? '')?.[1] !== undefined;
  const items: string[] = [];
  for (;;) {
    const line = lines[0] ?? '';
    const [, number, text] = ITEM.exec(line) ?? [];
    if (line.trim() === '' || FENCE.test(line)) break;
    if (text === undefined) items.push(`${items.pop() ?? ''} ${line.trim()}`);
    else if ((number !== undefined) === isOrdered) items.push(text);
    else break;
    lines.shift();
  }
  return { kind: 'list', isOrdered, items: items.map((item) => parseInline(item)) };
}

function takeParagraph(lines: string[]): Block {
  const first = lines.shift() ?? '';
  if (HEADING.test(first)) {
    const parts = parseInline(first.replace(HEADING, '').replace(/\s+#+\s*$/, ''));
    return { kind: 'paragraph', parts: [{ kind: 'strong', parts }] };
  }
  const text = [first];
  while (lines.length > 0 && ![/^\s*$/, FENCE, ITEM, HEADING].some((other) => other.test(lines[0] ?? '')))
    text.push(lines.shift() ?? '');
  return { kind: 'paragraph', parts: parseInline(text.map((line) => line.trim()).join(' ')) };
}

const MARK =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<ticks>`+)(?<code>.*?[^`])\k<ticks>(?!`)|\[(?<label>(?:\\.|[^[\]\\])+)\]\((?<target>(?:[^\s()]|\([^\s()]*\))+)(?:\s+"[^"]*")?\)|<(?<address>https?:\/\/[^\s<>]+)>|\*\*(?=\S)(?<strong>.+?)(?<=\S)\*\*(?!\*)|(?<!\w)__(?=\S)(?<strong2>.+?)(?<=\S)__(?!\w)|\*(?=[^\s*])(?<emphasis>.+?)(?<=[^\s*])\*(?!\*)|(?<!\w)_(?=[^\s_])(?<emphasis2>.+?)(?<=[^\s_])_(?!\w)/g;

function parseInline(text: string, depth = 0): readonly Inline[] {
  if (depth === MAX_DEPTH) return [{ kind: 'text', text }];
  const parts: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    parts.push({ kind: 'text', text: text.slice(from, match.index) }, partOf(match, depth));
    from = match.index + match[0].length;
  }
  parts.push({ kind: 'text', text: text.slice(from) });
  return parts.filter((part) => !('text' in part && part.text === ''));
}

function partOf({ 0: whole, groups = {} }: RegExpExecArray, depth: number): Inline {
  const { escaped, code, label, target, address } = groups;
  const inside = (text: string) => parseInline(text, depth + 1);
  if (escaped !== undefined) return { kind: 'text', text: escaped };
  if (code !== undefined) return { kind: 'code', text: code.trim() };
  if (address !== undefined) return linkOf(address, [{ kind: 'text', text: address }], whole);
  if (label !== undefined && target !== undefined) return linkOf(target, inside(label), whole);
  const strong = groups['strong'] ?? groups['strong2'];
  if (strong !== undefined) return { kind: 'strong', parts: inside(strong) };
  return { kind: 'emphasis', parts: inside(groups['emphasis'] ?? groups['emphasis2'] ?? '') };
}

/** A link, or its text when its address is not on the web. A relative address has no page here. */
function linkOf(target: string, parts: readonly Inline[], whole: string): Inline {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isOfWeb ? { kind: 'link', href: url.href, parts } : { kind: 'text', text: whole };
}
