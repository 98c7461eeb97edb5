import { Marked, type Renderer, type Token, type Tokens } from 'marked';
import { html, Markup } from '../../shared/http/docs/markup.ts';

/** The address of what a link of a page names; undefined for a file that is no page of the guide. */
export type LinkOf = (target: string) => string | undefined;

/** Lists whose items begin with these words are tabs. */
const TABS = ['On one machine', 'On AWS'];
const TAB = new RegExp(`^\\*\\*(${TABS.join('|')})[.:]?\\*\\*[.:]? ?`);

/** The only HTML of a page that stays HTML. */
const ANCHOR = /^(?:<a id="[\w-]+">|<\/a>)$/;

type Overrides = Partial<Renderer> & ThisType<Renderer>;

/** HTML of a page's Markdown. HTML in the page becomes text, but for anchors; comments are left out. */
export const markdownHtml = (markdown: string, linkOf: LinkOf): Markup =>
  new Markup(rendererOf(linkOf).parse(withoutNeedlessAnchors(markdown), { async: false }));

/** A page may write the anchor of one of its headings, too. */
function withoutNeedlessAnchors(markdown: string): string {
  const headings = new Set([...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)));
  return markdown.replace(/^<a id="([\w-]+)"><\/a>$/gm, (anchor, id: string) => (headings.has(id) ? '' : anchor));
}

/** The anchor that GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function rendererOf(linkOf: LinkOf): Marked {
  /** How often each anchor was taken. */
  const anchors = new Map<string, number>();
  const marked = new Marked();

  function idOf(heading: string): string {
    const anchor = anchorOf(heading);
    const taken = anchors.get(anchor) ?? 0;
    anchors.set(anchor, taken + 1);
    return taken === 0 ? anchor : `${anchor}-${taken}`;
  }

  function tab({ text }: Tokens.ListItem): string {
    const label = TAB.exec(text)?.[1] ?? '';
    const content = new Markup(marked.parse(text.replace(TAB, ''), { async: false }));
    return html`<section data-tab="${label}">
      <p class="tab-title">${label}</p>
      ${content}
    </section>`.text;
  }

  const renderer: Overrides = {
    code({ text, lang = '' }) {
      // GitHub draws it.
      return lang === 'mermaid' ? '' : html`<pre data-language="${lang}" tabindex="0"><code>${text}</code></pre>`.text;
    },
    heading({ tokens, depth, text }) {
      const id = idOf(text);
      const content = this.parser.parseInline(tokens);
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`;
    },
    table({ header, align, rows }) {
      const cellsOf = (cells: readonly Tokens.TableCell[], tag: string) =>
        cells.map(
          ({ tokens }, n) =>
            `<${tag} class="${align[n] === 'right' ? 'number' : ''}">${this.parser.parseInline(tokens)}</${tag.slice(0, 2)}>`,
        );
      return html`<div class="table-frame" tabindex="0" role="group" aria-label="Table, scrollable">
        <table>
          <thead>
            <tr>
              ${new Markup(cellsOf(header, 'th scope="col"').join(''))}
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => new Markup(`<tr>${cellsOf(row, 'td').join('')}</tr>`))}
          </tbody>
        </table>
      </div>`.text;
    },
    list(token) {
      if (token.items.every(({ text }) => TAB.test(text)))
        return `<div class="tabbed">${token.items.map(tab).join('')}</div>`;
      const tag = token.ordered ? 'ol' : 'ul';
      const start = token.ordered && token.start !== '' ? ` start="${token.start}"` : '';
      return `<${tag}${start}>${token.items.map((item) => this.listitem(item)).join('')}</${tag}>`;
    },
    paragraph({ tokens }) {
      const content = this.parser.parseInline(tokens);
      return tokens.every(isHtml) ? content : `<p>${content}</p>\n`;
    },
    html({ text }) {
      if (ANCHOR.test(text.trim())) return text.trim();
      return text.trimStart().startsWith('<!--') ? '' : html`${text}`.text;
    },
    /** A file of the repository that is no page of the guide has no address. */
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const address = linkOf(href);
      return address === undefined ? content : html`<a href="${address}">${new Markup(content)}</a>`.text;
    },
    image({ href, text }) {
      return html`<img src="${linkOf(href) ?? href}" alt="${text}" loading="lazy" />`.text;
    },
  };
  return marked.use({ renderer });
}

const isHtml = ({ type }: Token): boolean => type === 'html';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of HTML, in one line. */
const plainText = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** A part of a page below one heading, for the search. */
export interface GuideSection {
  /** Empty for what stands before the first heading. */
  anchor: string;
  heading: string;
  text: string;
}

/** The sections of a rendered page. */
export const sectionsOf = ({ text }: Markup): readonly GuideSection[] =>
  text.split(/(?=<h[1-6] id=)/).map((part) => {
    const [whole = '', anchor = '', heading = ''] = /^<h[1-6] id="([^"]*)">(.*)<\/h[1-6]>/.exec(part) ?? [];
    return { anchor, heading: plainText(heading), text: plainText(part.slice(whole.length)) };
  });
