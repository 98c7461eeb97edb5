import { describe, expect, test } from 'vitest';
import {
  LONGEST_MARKDOWN,
  parseMarkdown,
  withoutMarks,
} from '../../../../functions/console/app/markdown/parse-markdown.ts';

const text = (value: string) => ({ kind: 'text', text: value });
const paragraph = (...parts: unknown[]) => ({ kind: 'paragraph', parts });

describe('a description in Markdown', () => {
  test('has paragraphs, code, emphasis and links', () => {
    expect(
      parseMarkdown(
        'The `id` of **one** _repo_.\nSee [the *docs*](https://example.com/a_(b)).\n\n<https://example.com>',
      ),
    ).toEqual([
      paragraph(
        text('The '),
        { kind: 'code', text: 'id' },
        text(' of '),
        { kind: 'strong', parts: [text('one')] },
        text(' '),
        { kind: 'emphasis', parts: [text('repo')] },
        text('. See '),
        {
          kind: 'link',
          href: 'https://example.com/a_(b)',
          parts: [text('the '), { kind: 'emphasis', parts: [text('docs')] }],
        },
        text('.'),
      ),
      paragraph({ kind: 'link', href: 'https://example.com/', parts: [text('https://example.com')] }),
    ]);
  });

  test('has lists, fenced code and headings', () => {
    expect(parseMarkdown('Either:\n- one\n  more\n* two\n1. first\n\n```js\na < b\n```\n## End ##')).toEqual([
      paragraph(text('Either:')),
      { kind: 'list', isOrdered: false, items: [[text('one more')], [text('two')]] },
      { kind: 'list', isOrdered: true, items: [[text('first')]] },
      { kind: 'code', text: 'a < b' },
      paragraph({ kind: 'strong', parts: [text('End')] }),
    ]);
  });

  test('keeps names with underscores, products, escaped marks and HTML as text', () => {
    for (const plain of ['snake_case_name', '2 * 3 * 4', '<b>x</b><script>alert(1)</script>', 'a ` b'])
      expect(withoutMarks(plain)).toBe(plain);
    expect(parseMarkdown('<img src=x onerror=alert(1)>')).toEqual([paragraph(text('<img src=x onerror=alert(1)>'))]);
    expect(withoutMarks(String.raw`\*not\* \[a link\](https://example.com)`)).toBe(
      '*not* [a link](https://example.com)',
    );
  });

  test('links to http and https only', () => {
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
    ])
      expect(JSON.stringify(parseMarkdown(`[click](${address}) <${address}>`)), address).not.toContain('"link"');
  });

  test('is read in a moment, whatever it has', () => {
    for (const piece of ['*', '_', '`', '[', '[a](', '**a ', '_a ', '<https://', '\\', '- ', '(', '[*_`'])
      parseMarkdown(piece.repeat(LONGEST_MARKDOWN).slice(0, LONGEST_MARKDOWN));
    const longer = '*a* '.repeat(LONGEST_MARKDOWN);
    expect(parseMarkdown(longer)).toEqual([paragraph(text(longer))]);
  });
});
