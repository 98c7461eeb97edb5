import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Finder } from './finder/finder.tsx';
import { SectionIcon } from './finder/section-icon.tsx';
import { SECTIONS } from './finder/sections.ts';
import { Brand } from './components/brand.tsx';

/** The visible part of the section before the current one. */
const NEIGHBOUR_PX = 48;

/** The section of an address: `/console/sources/dc_1/code` → `/console/sources`. */
const sectionOf = (path: string): string => path.replace(/\/+$/, '').split('/').slice(0, 3).join('/');

/** The frame of every page. */
export function Layout({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const sections = useRef<HTMLUListElement>(null);
  // On narrow screens the sections are one row that scrolls.
  useLayoutEffect(() => {
    const showCurrent = (): void => {
      const current = sections.current?.querySelector<HTMLElement>('[aria-current]');
      sections.current?.scrollTo({ left: (current?.offsetLeft ?? 0) - NEIGHBOUR_PX });
    };
    showCurrent();
    addEventListener('resize', showCurrent);
    return () => removeEventListener('resize', showCurrent);
  }, [path]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="frame-header">
        <a class="brand-link" href="/console" aria-label="Tributary">
          <Brand />
        </a>
        <Finder />
        <nav aria-label="Main">
          <ul ref={sections}>
            {SECTIONS.map(([href, name]) => (
              <li key={href}>
                <a href={href} aria-current={sectionOf(path) === href ? 'page' : undefined}>
                  <SectionIcon href={href} />
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <a class="frame-docs" href="/docs">
          API documentation
        </a>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
