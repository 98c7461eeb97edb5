/**
 * The only style sheet of the page; its hash is in the page's Content-Security-Policy. Its colours and fonts are those
 * of the console.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f5f7f8; --surface: #ffffff; --sunken: #eef1f3; --text: #15191d; --muted: #56606a; --line: #dce1e6; --strong-line: #8a949e;
  --accent: #0f766e; --accent-strong: #0b5a54; --accent-soft: #dff2ef; --ok: #17663b; --bad: #b42318; --warn: #7a4f00;
  --font: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
  --small: 0.8125rem; --radius: 0.5rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1114; --surface: #161a1e; --sunken: #1e2328; --text: #e7ebee; --muted: #9ca7b1; --line: #2b3238; --strong-line: #6d7882;
    --accent: #4fcabb; --accent-strong: #7fded2; --accent-soft: #12332f; --ok: #74d29c; --bad: #ff9187; --warn: #efbe66;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); font: 0.9375rem/1.5 var(--font); }
.page { display: grid; grid-template-columns: 21rem minmax(0, 1fr); }
.side { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 0.75rem; background: var(--surface); border-right: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 0.625rem; padding: 0 0.625rem; font-weight: 650; font-size: 1.0625rem; color: var(--text); }
.brand rect { fill: #0f766e; }
.brand path { fill: none; stroke: #fff; stroke-width: 3; stroke-linecap: round; }
.search { margin: 1rem 0.625rem 0; }
.search label { font-size: var(--small); color: var(--muted); }
.search input { display: block; width: 100%; padding: 0.4375rem 0.625rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--strong-line); border-radius: var(--radius); }
.search p { margin: 0.25rem 0 0; min-height: 1.25rem; font-size: var(--small); color: var(--muted); }
nav h2 { margin: 1rem 0.625rem 0.25rem; font-size: var(--small); font-weight: 600; color: var(--muted); }
nav ul { list-style: none; margin: 0; padding: 0; font-size: var(--small); }
nav a { display: flex; gap: 0.5rem; padding: 0.1875rem 0.625rem; color: var(--text); border-radius: var(--radius); overflow-wrap: anywhere; }
nav a:hover { background: var(--sunken); text-decoration: none; }
nav .method { flex: none; width: 3.5rem; }
main { padding: 2rem 2.5rem 6rem; max-width: 76rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; }
h1 { font-size: 1.5rem; font-weight: 650; letter-spacing: -0.01em; }
main h2 { margin-top: 2.5rem; font-size: 1.25rem; font-weight: 650; }
h3 { font-size: 1rem; overflow-wrap: anywhere; }
h4 { margin-top: 1rem; font-size: var(--small); font-weight: 600; color: var(--muted); }
p { margin: 0.5rem 0; overflow-wrap: anywhere; }
section { margin: 1rem 0; padding: 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; scroll-margin-top: 1rem; }
section:target { border-color: var(--accent); }
a { color: var(--accent); text-decoration: none; }
a:hover, main p a { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font-family: var(--mono); font-size: var(--small); }
code { overflow-wrap: anywhere; }
pre { margin: 0.5rem 0; padding: 0.75rem; overflow-x: auto; background: var(--sunken); border-radius: var(--radius); }
.example { position: relative; }
.example pre { padding-right: 5rem; }
.example button { position: absolute; top: 0.4375rem; right: 0.4375rem; padding: 0.125rem 0.5rem; font: inherit; font-size: var(--small); color: var(--text); background: var(--surface); border: 1px solid var(--strong-line); border-radius: var(--radius); cursor: pointer; }
.method { font-family: var(--mono); font-size: var(--small); font-weight: 600; color: var(--accent); }
.method.post { color: var(--ok); }
.method.put { color: var(--warn); }
.method.delete { color: var(--bad); }
em { padding: 0 0.375rem; font-style: normal; font-size: var(--small); color: var(--accent-strong); background: var(--accent-soft); border-radius: var(--radius); }
table { width: 100%; border-collapse: collapse; font-size: var(--small); }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
tbody th { width: 14rem; font-weight: normal; }
td:nth-child(2) { width: 12rem; color: var(--muted); }
tr:last-child > * { border-bottom: 0; }
@media (max-width: 74.99rem) {
  tbody th { width: 10rem; }
  td:nth-child(2) { width: 8rem; }
}

@media (max-width: 59.99rem) {
  .page { display: block; }
  .side { position: static; height: auto; max-height: 24rem; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.25rem 1rem 4rem; }
  tbody th, td:nth-child(2) { width: auto; }
}
@media (max-width: 29.99rem) {
  tr { display: block; padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: block; padding: 0; border: 0; }
}
`;
