import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { visitPage } from '../hooks/recent-pages.ts';
import { GuideLink } from './help/guide-link.tsx';
import { Breadcrumbs } from './navigation/breadcrumbs.tsx';

/** The only `h1` of a page; the title of the window follows it. */
export function Heading({ children: text }: { children: string }) {
  useLayoutEffect(() => {
    document.title = `${text} · Tributary`;
    visitPage(location.pathname, text);
  }, [text]);
  return <h1>{text}</h1>;
}

interface PageProps {
  title: string;
  /** The section of the navigation that the page is in, and a page between both: the way stands above the title. */
  section?: 'Sources' | 'Webhooks' | 'Components' | 'Workflows';
  between?: readonly [href: string, text: string];
  /** The end of the way, if it is not the title. */
  here?: string;
  /** Beside the title: a state. */
  mark?: ComponentChildren;
  /** Under the title, such as ids. */
  about?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

/** A page: its heading, its main actions, and its content. */
export const Page = ({ title, section, between, here = title, mark, about, actions, children }: PageProps) => (
  <>
    <header class="page-header">
      <div class="page-title">
        {section !== undefined && (
          <Breadcrumbs
            links={[[`/console/${section.toLowerCase()}`, section], ...(between ? [between] : [])]}
            here={here}
          />
        )}
        <div class="row">
          <Heading>{title}</Heading>
          {mark}
          <GuideLink />
        </div>
        {about !== undefined && <div class="about">{about}</div>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
    {children}
  </>
);
