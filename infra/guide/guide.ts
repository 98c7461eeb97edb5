import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GuideSection, markdownHtml, sectionsOf } from './markdown.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The page that lists all others, in the order in which they are read. */
const INDEX = 'docs/index.md';

/** Pages that are not called like their file. */
const NAMES: Readonly<Record<string, string>> = { 'README.md': 'start', 'docs/examples/README.md': 'examples' };

/** A page of the guide, which is a Markdown file of the repository. */
export interface GuidePage {
  /** `delivery` of `docs/delivery.md`. */
  name: string;
  file: string;
  title: string;
  /** Its name in the index. */
  label: string;
  markdown: string;
}

interface GuideGroup {
  title: string;
  pages: readonly GuidePage[];
}

export interface Guide {
  index: GuidePage;
  groups: readonly GuideGroup[];
}

/** Addresses of a guide: those of the service, or relative ones of static files. */
export interface GuideSite {
  pageAddress: (name: string) => string;
  imageAddress: (file: string) => string;
}

export async function readGuide(): Promise<Guide> {
  const index = await pageOf(INDEX, 'Guide');
  const [, ...sections] = index.markdown.split(/^## /m);
  const groups = sections.map(async (section) => {
    const links = [...section.matchAll(/^- \[([^\]]+)\]\(([^)#]+)\)/gm)];
    const pages = links.map(([, label = '', target = '']) => pageOf(fileAt(INDEX, target), label));
    return { title: section.split('\n')[0] ?? '', pages: await Promise.all(pages) };
  });
  return { index, groups: await Promise.all(groups) };
}

export const pagesOf = ({ groups }: Guide): readonly GuidePage[] => groups.flatMap(({ pages }) => pages);

async function pageOf(file: string, label: string): Promise<GuidePage> {
  const markdown = await readFile(join(root, file), 'utf8');
  const name = NAMES[file] ?? file.replace(/^docs\//, '').replace(/\.md$/, '');
  return { name, file, label, markdown, title: /^# (.*)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? name };
}

/** The file that a link names, as a path in the repository. */
const fileAt = (file: string, target: string): string => normalize(join(dirname(file), target));

/** HTML of a page. Links to files that are no pages become text. */
export function pageHtml(guide: Guide, page: GuidePage, { pageAddress, imageAddress }: GuideSite) {
  const names = new Map([guide.index, ...pagesOf(guide)].map(({ file, name }) => [file, name]));
  return markdownHtml(page.markdown, (target) => {
    if (/^(?:\w+:|#)/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const file = fileAt(page.file, path);
    if (file.startsWith('docs/images/')) return imageAddress(file.slice('docs/images/'.length));
    const name = names.get(file);
    return name === undefined ? undefined : pageAddress(name) + (anchor === undefined ? '' : `#${anchor}`);
  });
}

/** Words after these are not searched for. */
const SEARCHED_CHARACTERS = 4_000;

export interface SearchedSection extends GuideSection {
  page: string;
  title: string;
}

const ANY_SITE: GuideSite = { pageAddress: (name) => name, imageAddress: (name) => name };

/** The sections of all pages as the search reads them. */
export const searchedSections = (guide: Guide): readonly SearchedSection[] =>
  pagesOf(guide).flatMap((page) =>
    sectionsOf(pageHtml(guide, page, ANY_SITE))
      .filter(({ heading, text }) => heading !== '' || text !== '')
      .map(({ anchor, heading, text }) => ({
        page: page.name,
        title: page.title,
        anchor,
        heading,
        text: text.slice(0, SEARCHED_CHARACTERS),
      })),
  );
