/** The only style sheet of the page; its hash is in the page's Content-Security-Policy. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8885; --soft: #8882; --accent: #2563c9; }
@media (prefers-color-scheme: dark) { :root { --accent: #8ab4ff; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; }
nav h2 { margin: 1rem 0 0.25rem; font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.06em; }
nav ul { list-style: none; margin: 0; padding: 0; font-size: 0.875rem; }
main { padding: 1.5rem 1rem 6rem; border-left: 1px solid var(--line); }
h1, h2, h3, h4 { line-height: 1.25; }
main h2 { margin-top: 3rem; }
section { margin: 2rem 0; padding-top: 1rem; border-top: 1px solid var(--line); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem 1rem; background: var(--soft); border-radius: 0.375rem; }
.method { display: inline-block; min-width: 3.5rem; font-weight: 600; color: var(--accent); }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tbody th { white-space: nowrap; font-weight: normal; }
@media (max-width: 48rem) { .page { display: block; } nav { position: static; max-height: none; } main { border: 0; } tbody th { white-space: normal; overflow-wrap: anywhere; } }
`;
