import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { foundSections } from '../../../functions/console/app/guide/found-sections.ts';
import { type Guide, pageHtml, pagesOf, readGuide, searchedSections } from '../../../infra/guide/guide.ts';
import { guidePage } from '../../../infra/guide/guide-page.ts';
import { markdownHtml } from '../../../infra/guide/markdown.ts';
import { compilePattern } from '../../../shared/domain/event/event-pattern/compile-pattern.ts';
import { tableIn } from '../../support/doc-table.ts';

let guide: Guide;
beforeAll(async () => {
  guide = await readGuide();
});

const SITE = {
  pageAddress: (name: string) => `/guide/${name}`,
  imageAddress: (name: string) => `/guide/${name}`,
  script: '/s.js',
  first: '/s.js',
  style: '/s.css',
  icon: '/i.svg',
  around: ['/guide/', ''],
  links: [],
} as const;

const everyPage = () => [guide.index, ...pagesOf(guide)];
const idsIn = (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const htmlOf = (markdown: string) =>
  markdownHtml(markdown, (target) => target).text.replace(/(?<=>)\s*\n\s*|\s*\n\s*(?=<)/g, '');

describe('the pages of the guide', () => {
  test('are all pages of docs/, each once, and the README and the examples', () => {
    const files = readdirSync('docs')
      .filter((name) => name.endsWith('.md') && name !== 'index.md')
      .map((name) => `docs/${name}`);
    const listed = pagesOf(guide).map(({ file }) => file);
    expect(listed.toSorted()).toEqual([...files, 'README.md', 'docs/examples/README.md'].toSorted());
  });

  test('link only to pages, anchors and pictures that exist', () => {
    const rendered = new Map(everyPage().map((page) => [`/guide/${page.name}`, guidePage(guide, page, SITE)]));
    const images = readdirSync('docs/images').map((name) => `/guide/${name}`);
    const broken = [...rendered].flatMap(([address, text]) =>
      [...text.matchAll(/(?:href|src)="([^"]+)"/g)]
        .map(([, target = '']) => target)
        .filter((target) => {
          if (/^(?:https?:|\/[si]\.)/.test(target)) return false;
          const [path = '', anchor] = target.split('#');
          const page = rendered.get(path === '' ? address : path);
          if (page === undefined) return !images.includes(path);
          return anchor !== undefined && !['main', ...idsIn(page)].includes(anchor);
        })
        .map((target) => `${address}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('have nothing inline and nothing from other hosts', () => {
    for (const page of everyPage()) {
      const text = guidePage(guide, page, SITE);
      expect(text).not.toMatch(/<style|\sstyle=|<[^>]*\son\w+=|src="https?:|<script[^>]*>[^<]/);
      expect(idsIn(text).length, page.name).toBe(new Set(idsIn(text)).size);
    }
  });

  test('have no mark of Markdown left in their text', () => {
    // One page quotes errors, with a single backtick.
    const pages = everyPage().filter(({ name }) => name !== 'component-compatibility');
    const left = pages.flatMap((page) => {
      const prose = pageHtml(guide, page, SITE).text.replace(/<(pre|code)\b.*?<\/\1>/gs, '');
      return [...prose.matchAll(/.{0,30}(?:\*\*|`|\]\(|^#+ |^\|).{0,30}/gm)].map(([text]) => `${page.name}: ${text}`);
    });
    expect(left).toEqual([]);
  });

  test('have the machine and AWS as tabs where both are listed', () => {
    const tabbed = everyPage().filter((page) => pageHtml(guide, page, SITE).text.includes('data-tab="On AWS"'));
    expect(tabbed.map(({ name }) => name).sort()).toEqual([
      'audit',
      'backup',
      'components',
      'console',
      'delivery',
      'errors',
      'isolation',
      'live-streams',
      'operations',
      'stages',
      'writing-components',
    ]);
  });
});

describe('Markdown', () => {
  test.each([
    ['# A `b`', '<h1 id="a-b"><a class="anchor" href="#a-b">A <code>b</code></a></h1>'],
    ['One\nline, **strong** and _soft_.', '<p>One\nline, <strong>strong</strong> and <em>soft</em>.</p>'],
    ['<b> & \\*', '<p>&lt;b&gt; &amp; *</p>'],
    ['[a `b`](c.md) <https://d.e>', '<p><a href="c.md">a <code>b</code></a> <a href="https://d.e">https://d.e</a></p>'],
    ['![A picture](a.png)', '<p><img src="a.png" alt="A picture" loading="lazy" /></p>'],
    ['- a\n- b\n  - c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
    ['2. a\n3. b', '<ol start="2"><li>a</li><li>b</li></ol>'],
    ['a\n\n<!-- b -->\n\nc', '<p>a</p><p>c</p>'],
    ['<a id="x"></a>', '<a id="x"></a>'],
    ['`a|b` snake_case_word 2 * 3 * 4', '<p><code>a|b</code> snake_case_word 2 * 3 * 4</p>'],
  ])('%j', (markdown, expected) => {
    expect(htmlOf(markdown)).toBe(expected);
  });

  test('keeps the lines of code, also in a list', () => {
    const { text } = markdownHtml('1. a\n\n   ```sh\n   b\n\n     <c>\n   ```\n\n2. d', (target) => target);
    expect(text).toContain('<code>b\n\n  &lt;c&gt;</code>');
    expect(text.match(/<li>/g)).toHaveLength(2);
    expect(text.match(/<ol/g)).toHaveLength(1);
  });

  test('has tables with bars in code and columns of numbers', () => {
    const text = htmlOf('| a | n |\n| --- | ---: |\n| `b\\|c` | 1 |');
    expect(text).toContain('<code>b|c</code>');
    expect(text).toContain('<td class="number">1</td>');
  });

  test('numbers equal anchors, as GitHub does', () => {
    expect(idsIn(htmlOf('## A\n\n## A'))).toEqual(['a', 'a-1']);
  });

  test('makes tabs of a list whose items begin with the machine and AWS, and of no other', () => {
    expect(htmlOf('- **On one machine:** a\n- **On AWS:** b')).toBe(
      '<div class="tabbed"><section data-tab="On one machine"><p class="tab-title">On one machine</p><p>a</p></section><section data-tab="On AWS"><p class="tab-title">On AWS</p><p>b</p></section></div>',
    );
    expect(htmlOf('- **On one machine:** a\n- **Elsewhere:** b')).not.toContain('tab');
  });
});

describe('the search of the guide', () => {
  const found = (typed: string) => foundSections(searchedSections(guide), typed);

  test('finds sections with every word, headings first', () => {
    expect(found('operators').found[0]).toMatchObject({ page: 'delivery', anchor: 'operators' });
    expect(found('BREAKER  delivery').found[0]).toMatchObject({ page: 'delivery', anchor: 'breaker' });
    expect(found('no-such-word-anywhere')).toEqual({ found: [], total: 0 });
    expect(found('  ')).toEqual({ found: [], total: 0 });
  });

  test('finds each page by its title', () => {
    const sections = searchedSections(guide);
    for (const { name, title } of pagesOf(guide))
      expect(
        foundSections(sections, title.replace(/[?:]/g, '')).found.map(({ page }) => page),
        title,
      ).toContain(name);
  });

  test('shows at most 20 sections, with the text around the first word', () => {
    const { found: shown, total } = found('webhook');
    expect(shown).toHaveLength(20);
    expect(total).toBeGreaterThan(20);
    expect(found('equals-ignore-case').found[0]?.excerpt).toContain('equals-ignore-case');
  });
});

test('docs/delivery.md lists the operators of filters, and each example is a pattern', () => {
  const rows = tableIn('docs/delivery.md', 'Operators');
  const examples = rows.flatMap(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  for (const example of examples)
    expect(compilePattern({ field: [JSON.parse(example)] }, 'filter').ok, example).toBe(true);
  const refused = compilePattern({ field: [{ none: 1 }] }, 'filter');
  const [{ message = '' } = {}] = refused.ok ? [] : refused.details;
  const operators = message.split(': ').at(-1)?.split(', ') ?? [];
  expect(operators.length).toBeGreaterThan(5);
  expect(operators.filter((name) => !examples.some((example) => example.startsWith(`{"${name}"`)))).toEqual([]);
});
