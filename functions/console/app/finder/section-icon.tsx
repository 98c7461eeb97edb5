/** Lines of 16 by 16 units, by the address of a section. */
const ICONS: Readonly<Record<string, string>> = {
  '/console': 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5h4.5v3H2.5z',
  '/console/sources': 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  '/console/events': 'M2.5 4h11M2.5 8h6M2.5 12h4M11 9.5a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5zM12.3 12.6l1.7 1.7',
  '/console/webhooks': 'M2 8h9M7.5 4.5 11 8l-3.5 3.5M13.5 3v10',
  '/console/subscriptions': 'M2 3.5h3.5v3H2zM2 9.5h3.5v3H2zM10.5 6.5H14v3h-3.5zM5.5 5c3 0 2 3 5 3M5.5 11c3 0 2-3 5-3',
  '/console/notices': 'M8 2a4 4 0 0 1 4 4c0 3 1.5 4.5 1.5 4.5h-11S4 9 4 6a4 4 0 0 1 4-4zM6.5 13a1.6 1.6 0 0 0 3 0',
  '/console/components': 'M8 1.5 13.5 4.5v7L8 14.5 2.5 11.5v-7zM2.5 4.5 8 7.5l5.5-3M8 7.5v7',
  '/console/workflows': 'M3 2.5h3v3H3zM3 10.5h3v3H3zM10 6.5h3v3h-3zM4.5 5.5v5M6 4h3.5a2 2 0 0 1 2 2v.5',
  '/console/accounts': 'M10.5 2.5a3 3 0 1 1-2.8 4.1L2.5 11.8v1.7h2v-1.5h1.5v-1.5h1.5l1.2-1.2M11 5h.01',
  '/console/me': 'M8 2.5a2.75 2.75 0 1 1 0 5.5 2.75 2.75 0 0 1 0-5.5zM2.5 13.5c.5-3 2.7-4 5.5-4s5 1 5.5 4',
};

/** The icon of a section of the navigation. Its name stands beside it. */
export const SectionIcon = ({ href }: { href: string }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" class="line-icon">
    <path d={ICONS[href]} />
  </svg>
);
