import { useLocation } from 'preact-iso/router';

interface PageTabsProps {
  /** The accessible name. */
  label: string;
  /** The address of the first page. */
  base: string;
  /** The end of each address, and the text of its link. */
  tabs: readonly (readonly [suffix: string, text: string])[];
  /** The text of the link to a page with unsaved changes. */
  marked?: string | undefined;
}

/** Links to the pages of one thing. */
export function PageTabs({ label, base, tabs, marked }: PageTabsProps) {
  const { path } = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([suffix, text]) => {
        const href = base + suffix;
        return (
          <a key={text} href={href} aria-current={path.replace(/\/$/, '') === href ? 'page' : undefined}>
            {text}
            {text === marked && <span class="dot unsaved" aria-hidden="true" title="not saved" />}
          </a>
        );
      })}
    </nav>
  );
}
