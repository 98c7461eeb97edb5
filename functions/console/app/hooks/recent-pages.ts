import { session } from '../api/key-session.ts';

interface RecentPage {
  path: string;
  title: string;
}

const MAX_PAGES = 6;

/** The pages that this tab has shown, the last one first. The names on them end with the session. */
let pages: readonly RecentPage[] = [];
let { identity } = session;
session.subscribe(() => {
  if (session.identity !== identity) pages = [];
  identity = session.identity;
});

/** Adds a page, or its new title: the name of a source comes after its page. */
export function visitPage(path: string, title: string): void {
  if (session.identity === undefined) return;
  pages = [{ path, title }, ...pages.filter((page) => page.path !== path)].slice(0, MAX_PAGES);
}

export const recentPages = (): readonly RecentPage[] => pages;
