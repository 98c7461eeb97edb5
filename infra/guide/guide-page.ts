import { html, Markup } from '../../shared/http/docs/markup.ts';
import { type Guide, type GuidePage, type GuideSite, pageHtml, pagesOf } from './guide.ts';

export interface GuidePageOptions extends GuideSite {
  script: string;
  /** The script that runs before the first paint. */
  first: string;
  style: string;
  icon: string;
  /** Addresses before and after the name of a page, for the search. */
  around: readonly [before: string, after: string];
  /** Pages besides the guide. */
  links: readonly (readonly [href: string, text: string])[];
}

/** A table of contents shorter than this helps nobody. */
const SHORTEST_CONTENTS = 3;

/** A page of the guide, or its index, as one file. Nothing in it is inline. */
export function guidePage(guide: Guide, page: GuidePage, options: GuidePageOptions): string {
  const isIndex = page === guide.index;
  const content = pageHtml(guide, page, options);
  const { script, first, style, icon, around, links, pageAddress } = options;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${isIndex ? page.label : page.title} · Tributary</title>
        <link rel="icon" href="${icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${style}" />
        <script src="${first}"></script>
        <script type="module" src="${script}"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <div class="guide ${isIndex ? 'landing' : ''}">
          <header class="guide-side">
            <a class="guide-brand" href="${pageAddress('index')}"
              ><img src="${icon}" alt="" width="24" height="24" /> Tributary</a
            >
            <form class="guide-search" role="search" data-before="${around[0]}" data-after="${around[1]}" hidden>
              <label for="search">Search the guide</label>
              <input type="search" id="search" autocomplete="off" spellcheck="false" />
              <p role="status" class="hint"></p>
              <ol class="guide-found"></ol>
            </form>
            <nav aria-label="Guide">
              ${groupsList(guide, page, options)}
              <ul>
                ${links.map(([href, text]) => html`<li><a href="${href}">${text}</a></li>`)}
              </ul>
            </nav>
          </header>
          <main id="main" tabindex="-1">
            <article>${isIndex ? inSections(content) : content}</article>
            ${neighbours(guide, page, options)}
          </main>
          ${isIndex ? undefined : contents(content)}
        </div>
      </body>
    </html> `.text;
}

const groupsList = ({ groups }: Guide, page: GuidePage, { pageAddress }: GuideSite): Markup[] =>
  groups.map(
    ({ title, pages }) =>
      html`<details ${pages.includes(page) ? new Markup('open') : ''}>
        <summary>${title}</summary>
        <ul>
          ${pages.map(
            (each) =>
              html`<li>
                <a href="${pageAddress(each.name)}" ${each === page ? new Markup('aria-current="page"') : ''}
                  >${each.label}</a
                >
              </li>`,
          )}
        </ul>
      </details>`,
  );

/** The landing page shows each path as a card. */
function inSections({ text }: Markup): Markup {
  const [top = '', ...paths] = text.split(/(?=<h2 )/);
  return new Markup(
    `${top}<div class="guide-paths">${paths.map((path) => `<section>${path}</section>`).join('')}</div>`,
  );
}

function neighbours(guide: Guide, page: GuidePage, { pageAddress }: GuideSite): Markup | undefined {
  const pages = pagesOf(guide);
  const at = pages.indexOf(page);
  if (at === -1) return undefined;
  const link = (each: GuidePage | undefined, rel: string, text: string) =>
    each && html`<a rel="${rel}" href="${pageAddress(each.name)}"><span>${text}</span> ${each.label}</a>`;
  return html`<nav class="guide-neighbours" aria-label="Neighbouring pages">
    ${link(pages[at - 1], 'prev', 'Previous')} ${link(pages[at + 1], 'next', 'Next')}
  </nav>`;
}

function contents({ text }: Markup): Markup | undefined {
  const headings = [...text.matchAll(/<h2 id="([^"]*)"><a[^>]*>(.*?)<\/a><\/h2>/g)];
  if (headings.length < SHORTEST_CONTENTS) return undefined;
  return html`<nav class="guide-contents" aria-label="On this page">
    <p>On this page</p>
    <ul>
      ${headings.map(([, id = '', heading = '']) => html`<li><a href="#${id}">${new Markup(heading)}</a></li>`)}
    </ul>
  </nav>`;
}
