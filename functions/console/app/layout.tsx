import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLack, usePerson } from './api/rights.tsx';
import { markIdOf, NavMark, useMarkedSections } from './attention/nav-mark.tsx';
import { Finder } from './finder/finder.tsx';
import { KeyHelp } from './finder/key-help.tsx';
import { SectionIcon } from './finder/section-icon.tsx';
import { SECTIONS } from './finder/sections.ts';
import { Brand } from './components/brand.tsx';
import { SignedIn } from './session/signed-in.tsx';
import { ThemeSwitch } from './theme/theme-switch.tsx';

/** The visible part of the section before the current one. */
const NEIGHBOUR_PX = 48;

/** The section of an address: `/console/sources/dc_1/code` → `/console/sources`. */
const sectionOf = (path: string): string => path.replace(/\/+$/, '').split('/').slice(0, 3).join('/');

/** The frame of every page. */
export function Layout({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const isMarked = useMarkedSections();
  const lacks = [useLack('manage'), useLack('send')];
  const person = usePerson();
  const sections = useRef<HTMLUListElement>(null);
  // On narrow screens the sections are one row that scrolls.
  useLayoutEffect(() => {
    const showCurrent = (): void => {
      const current = sections.current?.querySelector<HTMLElement>('li:has([aria-current])');
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
        <KeyHelp />
        <nav aria-label="Main">
          <ul ref={sections}>
            {SECTIONS.map(([href, name]) => (
              <li key={href}>
                <a
                  href={href}
                  aria-current={sectionOf(path) === href ? 'page' : undefined}
                  aria-describedby={isMarked(href) ? markIdOf(href) : undefined}
                >
                  <SectionIcon href={href} />
                  {name}
                  {isMarked(href) && <NavMark />}
                </a>
                {isMarked(href) && (
                  <span class="hidden-text" id={markIdOf(href)}>
                    Needs attention
                  </span>
                )}
              </li>
            ))}
          </ul>
        </nav>
        <div class="frame-end">
          <SignedIn />
          <ThemeSwitch />
          <a href="/guide">Guide</a>
          <a href="/docs">API documentation</a>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {!person &&
          lacks.map((lack) => lack !== undefined && <p class="advice">{lack} Buttons that need it are disabled.</p>)}
        {children}
      </main>
    </div>
  );
}
