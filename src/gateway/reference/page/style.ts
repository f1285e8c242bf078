/** The reference page's style sheet: light and dark, one column on a phone, two elsewhere. */
export const referenceStyle = `
:root { color-scheme: light dark; --ink: #16202c; --soft: #55606e; --ground: #ffffff; --raised: #f3f5f8; --line: #d8dee6; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7ecf2; --soft: #a3adba; --ground: #11161d; --raised: #1a212b; --line: #2d3743; --accent: #7fb7f5; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--accent); }
code { font: 0.9em ui-monospace, SFMono-Regular, Menlo, monospace; overflow-wrap: anywhere; }
header { padding: 1.5rem clamp(1rem, 4vw, 3rem); border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.6rem; }
header p { margin: 0.25rem 0 0; color: var(--soft); }
h2 { margin: 3rem 0 0.5rem; font-size: 1.4rem; }
h3 { margin: 0; font-size: 1.1rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { margin: 1rem 0 0.25rem; font-size: 0.95rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); }
main { padding: 1rem clamp(1rem, 4vw, 3rem) 6rem; max-width: 60rem; }
nav { padding: 1rem clamp(1rem, 4vw, 3rem); border-bottom: 1px solid var(--line); font-size: 0.9rem; }
nav ul { list-style: none; margin: 0.25rem 0; padding: 0; }
nav ul ul { padding-left: 0.9rem; }
nav li { margin: 0.2rem 0; }
nav > details > ul > li > a { font-weight: 600; }
summary { cursor: pointer; color: var(--soft); }
article { margin: 1.25rem 0; padding: 1rem 1.1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 10px; }
article:target { outline: 2px solid var(--accent); }
.route { margin: 0.35rem 0; }
.note { margin: 0.35rem 0; color: var(--soft); overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 4.2em; padding: 0.05em 0.5em; border-radius: 5px; background: #38536f; color: #ffffff; font: 600 0.8rem/1.6 ui-monospace, monospace; text-align: center; }
.method.get { background: #1d6f42; }
.method.post { background: #0b5cad; }
.method.put, .method.patch { background: #8a5200; }
.method.delete { background: #a3262a; }
.members { list-style: none; margin: 0.25rem 0; padding-left: 0.9rem; border-left: 2px solid var(--line); }
.members li { margin: 0.2rem 0; overflow-wrap: anywhere; }
.type { color: var(--accent); }
.bounds, .optional { color: var(--soft); font-size: 0.85em; }
.optional::before { content: "("; }
.optional::after { content: ")"; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.35rem 0.6rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-size: 0.85rem; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--ground); }
@media (max-width: 64rem) { .contents > ul { max-height: 45vh; overflow-y: auto; } }
@media (min-width: 64rem) {
  .columns { grid-template-columns: 19rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); }
}
@media print { nav, .skip { display: none; } article { break-inside: avoid; } }
`;
