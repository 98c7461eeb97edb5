/** The only style sheet of the pages, in the colors of the console; its hash is in their Content-Security-Policy. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #f5f7f8; --raised: #fff; --text: #15191d; --muted: #56606a; --line: #dce1e6; --accent: #0f766e; --on-accent: #fff; --warning: #7a4f00; }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1114; --raised: #171b1f; --text: #e7ebee; --muted: #9ca7b1; --line: #2b3238; --accent: #4fcabb; --on-accent: #06231f; --warning: #efbe66; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; }
main { width: min(34rem, 100% - 2rem); margin: 10vh auto 2rem; padding: 2rem; background: var(--raised); border: 1px solid var(--line); border-radius: 0.5rem; }
.brand { margin: 0 0 1.25rem; font-weight: 650; color: var(--accent); }
h1 { margin: 0 0 0.75rem; font-size: 1.375rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.375rem 1rem; margin: 0 0 1.25rem; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
blockquote { margin: 0 0 1rem; padding: 0.5rem 0.875rem; border-left: 3px solid var(--line); color: var(--muted); overflow-wrap: anywhere; }
.warning { color: var(--warning); }
label { display: flex; gap: 0.5rem; margin: 0 0 1.25rem; }
button { padding: 0.5rem 1rem; border: 0; border-radius: 0.375rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.note { margin: 1rem 0 0; color: var(--muted); }
`;
