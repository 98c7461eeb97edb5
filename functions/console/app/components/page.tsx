import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The only `h1` of a page; the title of the window follows it. */
export function Heading({ children: text }: { children: string }) {
  useLayoutEffect(() => {
    document.title = `${text} · Tributary`;
  }, [text]);
  return <h1>{text}</h1>;
}

interface PageProps {
  title: string;
  /** Beside the title: a state. */
  mark?: ComponentChildren;
  /** Under the title: the way back, and ids. */
  about?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

/** A page: its heading, its main actions, and its content. */
export const Page = ({ title, mark, about, actions, children }: PageProps) => (
  <>
    <header class="page-header">
      <div class="page-title">
        <div class="row">
          <Heading>{title}</Heading>
          {mark}
        </div>
        {about !== undefined && <div class="about">{about}</div>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
    {children}
  </>
);
