import { lexer } from 'marked';
import { describe, expect, test } from 'vitest';
import {
  LONGEST_MARKDOWN,
  type MarkdownNode,
  nodesOf,
  textOf,
  webAddress,
} from '../../../../functions/console/app/markdown/markdown-nodes.ts';

const parsed = (markdown: string) => nodesOf(markdown, lexer);
const words = (markdown: string) => textOf(parsed(markdown));
const plain = (markdown: string) => [{ type: 'text', raw: markdown }];
const allOf = (nodes: readonly MarkdownNode[]): MarkdownNode[] =>
  nodes.flatMap((node) => [node, ...allOf([...(node.tokens ?? []), ...(node.items ?? [])])]);

describe('a description in Markdown', () => {
  test('in a list is one line without marks', () => {
    expect(
      words(
        'The `id` of **one** _repo_.\nSee [the *docs*](https://example.com/a_(b)).\n\nEither:\n- one\n  more\n* two',
      ),
    ).toBe('The id of one repo. See the docs. Either: one more two');
    expect(words('```js\na < b\n```\n## End ##')).toBe('a < b End');
  });

  test('keeps names with underscores, products, escaped marks, images and HTML as text', () => {
    for (const text of [
      'snake_case_name',
      '2 * 3 * 4',
      '<b>x</b><script>alert(1)</script>',
      'a ` b',
      '<img src=x onerror=alert(1)>',
      '![image](https://example.com/pixel.gif)',
      '[script](javascript:alert(1))',
    ])
      expect(words(text)).toBe(text);
    expect(words(String.raw`\*not\* \[a link\](https://example.com)`)).toBe('*not* [a link](https://example.com)');
  });

  test('links to the web and to mailboxes only', () => {
    expect(['https://example.com/a', 'http://example.com/', 'mailto:ada@example.com'].map(webAddress)).toEqual([
      'https://example.com/a',
      'http://example.com/',
      'mailto:ada@example.com',
    ]);
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://example.com/1',
      '//example.com/x',
      '/console/me#key=other',
      '&#106;avascript:alert(1)',
    ]) {
      expect(webAddress(address), address).toBeUndefined();
      for (const { type, href } of allOf(parsed(`[click](${address}) <${address}>`)))
        if (type === 'link') expect(webAddress(href) ?? 'none', address).toMatch(/^(?:none$|https?:\/\/example\.com)/);
    }
  });

  test('that is long or has deep levels is shown as it was written, in a moment', () => {
    const startedAt = process.cpuUsage();
    for (const piece of [
      '*',
      '_',
      '`',
      '[',
      '[a](',
      '**a ',
      '_a ',
      '<https://',
      '\\',
      '- ',
      '(',
      '[*_`',
      '> ',
      '>',
      '1. ',
    ])
      parsed(piece.repeat(LONGEST_MARKDOWN).slice(0, LONGEST_MARKDOWN));
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(2_000);
    const longer = '*a* '.repeat(LONGEST_MARKDOWN);
    expect(parsed(longer)).toEqual(plain(longer));
    const deep = `${'> '.repeat(100)}a`;
    expect(parsed(deep)).toEqual(plain(deep));
    const list = Array.from({ length: 20 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n');
    expect(allOf(parsed(list)).filter(({ type }) => type === 'list').length).toBeLessThan(4);
  });
});
