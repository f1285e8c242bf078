/** The page's only style sheet: it loads nothing, so that the file can be sent to anyone. */
export const style = `
:root{color-scheme:light dark;--ground:#eef2f0;--surface:#fff;--line:#d9e2de;--ink:#0f1f1b;--ink-2:#4a5f58;--accent:#0a6b55;--gold:#8a5a00;--gold-soft:#fdf1d6;--c0:#0a6b55;--c1:#b2611f;--c2:#3e5fb0;--c3:#8d3f8f;--c4:#6c7a00;--c5:#a3262b}
@media(prefers-color-scheme:dark){:root{--ground:#08100e;--surface:#0f1a17;--line:#21332d;--ink:#e9f3ef;--ink-2:#9db5ac;--accent:#58d6ab;--gold:#f2c86b;--gold-soft:#33270d;--c0:#58d6ab;--c1:#f0a76a;--c2:#8fb0ff;--c3:#dc9ade;--c4:#c9d65a;--c5:#ff9a94}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;-webkit-font-smoothing:antialiased}
main{max-width:1120px;margin:0 auto;padding:32px 24px 48px}
h1{margin:0;font-size:clamp(24px,3.4vw,34px);line-height:1.15;letter-spacing:-.03em}
h2{margin:0 0 4px;font-size:18px;letter-spacing:-.01em}
h3{margin:0;font-size:15px}
p{margin:0;max-width:78ch}
.lead,.note{color:var(--ink-2)}
.lead{margin-top:6px;font-size:16px}
.note{font-size:14px}
.card{margin-top:20px;padding:20px 22px;border:1px solid var(--line);border-radius:18px;background:var(--surface)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,200px),1fr));gap:14px;margin-top:24px}
.figure{padding:16px 18px;border:1px solid var(--line);border-radius:14px;background:var(--surface)}
.figure dt{color:var(--ink-2);font-size:13px;font-weight:600}
.figure dd{margin:2px 0 0;font-size:24px;font-weight:700;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.figure small{display:block;color:var(--ink-2);font-size:13px;font-weight:400;letter-spacing:0}
.scroll{overflow-x:auto}
table{width:100%;margin-top:10px;border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:7px 14px 7px 0;border-bottom:1px solid var(--line);text-align:right}
th{color:var(--ink-2);font-size:13px;font-weight:600;vertical-align:bottom}
th:first-child,td:first-child{text-align:left}
td:first-child{font-weight:650}
th:last-child,td:last-child{padding-right:0}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:8px 28px;margin-top:14px}
svg{display:block;width:100%;max-width:580px;height:auto;overflow:visible}
text{fill:var(--ink);font:15px system-ui,sans-serif}
.small{fill:var(--ink-2);font-size:14px}
.grid{stroke:var(--line)}
.line{fill:none;stroke-width:1.8;stroke-linejoin:round}
.track{stroke:var(--line);stroke-width:2}
.bounds{stroke-width:7;stroke-linecap:round;opacity:.35}
.expected{stroke:var(--ink);stroke-width:2}
${[0, 1, 2, 3, 4, 5].map((index) => `.line.c${index},.bounds.c${index}{stroke:var(--c${index})}.bar.c${index},.dot.c${index}{fill:var(--c${index})}.key.c${index}{background:var(--c${index})}`).join('\n')}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:8px 0 0;padding:0;list-style:none;font-size:14px}
.key{display:inline-block;width:11px;height:11px;margin-right:7px;border-radius:3px}
.warning{margin-top:12px;padding:10px 14px;border-radius:12px;background:var(--gold-soft);color:var(--gold)}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:12px 0 0;font-size:14px}
.facts dt{color:var(--ink-2)}
.facts dd{margin:0;overflow-wrap:anywhere}
footer{margin-top:24px;color:var(--ink-2);font-size:13px}
@media(max-width:560px){main{padding:20px 14px 32px}.card{padding:16px}}
@media print{body{background:#fff}.card,.figure{break-inside:avoid}}
`;
