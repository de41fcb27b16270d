export const panelPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Training platform</title>
<link rel="stylesheet" href="/control/panel.css">
</head>
<body>
<div id="panel"></div>
<noscript>This page needs its script.</noscript>
<script src="/control/panel.js"></script>
</body>
</html>
`;

export const panelStyle = `
:root { color-scheme: light dark; --page: #f4f5f3; --panel: #fff; --ink: #1a2421; --soft: #55615d; --line: #d5dad7; --deep: #0f3d37; --warn: #a83a1c; --field: #fff; }
@media (prefers-color-scheme: dark) { :root { --page: #131917; --panel: #1c2422; --ink: #e9efec; --soft: #a5b2ad; --line: #3a4642; --deep: #0b2b27; --warn: #ff9a7a; --field: #131917; } }
* { box-sizing: border-box; }
body { background: var(--page); color: var(--ink); font: 16px/1.4 system-ui, sans-serif; margin: 0; }
.band { background: repeating-linear-gradient(-45deg, #ffc94d 0 18px, #f5b52c 18px 36px); color: #2b1c00; padding: 6px 20px; text-align: center; }
header { align-items: center; background: var(--deep); color: #fff; display: flex; gap: 12px; padding: 10px 20px; }
h1 { font-size: 20px; margin: 0; white-space: nowrap; }
h2 { font-size: 17px; margin: 0 0 10px; }
main { display: grid; gap: 14px; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); margin: 0 auto; max-width: 1400px; padding: 14px 20px 28px; }
.column { display: grid; gap: 14px; align-content: start; }
section, details { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; }
main > details { grid-column: 1 / -1; }
summary { align-content: center; min-height: 44px; cursor: pointer; font-size: 17px; font-weight: 650; }
.row { align-items: center; display: grid; gap: 4px 12px; grid-template-columns: minmax(0, 1fr) 110px; min-height: 44px; padding: 3px 0; }
.row.wide { grid-template-columns: minmax(0, 1fr) 230px; border-top: 1px solid var(--line); padding: 6px 0; }
.row label { align-content: center; min-height: 44px; }
.row small { color: var(--soft); display: block; font-size: 14px; }
.row output { font-size: 14px; color: var(--soft); }
input, select { background: var(--field); border: 1px solid var(--soft); border-radius: 6px; color: var(--ink); font: inherit; min-height: 44px; padding: 4px 8px; width: 100%; }
input[type=checkbox] { appearance: none; background: transparent; border: 0; cursor: pointer; display: grid; height: 44px; justify-self: end; padding: 0; place-items: center; width: 44px; }
input[type=checkbox]::before { background: var(--field); border: 2px solid var(--soft); border-radius: 6px; color: #fff; content: ''; font-weight: 700; height: 28px; line-height: 24px; text-align: center; width: 28px; }
input[type=checkbox]:checked::before { background: #0d7a68; border-color: #0d7a68; content: '\\2713'; }
button { background: var(--field); border: 1px solid var(--soft); border-radius: 6px; color: var(--ink); cursor: pointer; font: inherit; min-height: 44px; padding: 4px 14px; }
header button { background: transparent; border-color: #9fc5bd; color: #fff; }
button[aria-pressed=true] { background: #fff; color: #0f3d37; }
:focus-visible { outline: 3px solid #2f8ce0; outline-offset: 2px; }
.down { background: #a83a1c; border-color: #a83a1c; color: #fff; }
.down:is(section) h2, .down .row { color: #fff; }
.fields { display: grid; gap: 8px; grid-template-columns: 1fr 1fr; margin-bottom: 8px; }
.fields label { color: var(--soft); font-size: 14px; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.message { flex: 1; font-weight: 650; line-height: 1.25; margin: 0; text-align: center; }
.message.bad { color: #ffc94d; }
.scroll { max-height: 420px; overflow: auto; }
table { border-collapse: collapse; font-size: 14px; width: 100%; }
th { background: var(--panel); position: sticky; text-align: left; top: 0; }
th, td { border-bottom: 1px solid var(--line); padding: 4px 8px 4px 0; vertical-align: top; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
th:last-child { min-width: 130px; }
td:first-child { overflow-wrap: normal; white-space: nowrap; }
td.bad { color: var(--warn); font-weight: 650; }
pre { overflow: auto; }
a { align-items: center; color: inherit; display: inline-flex; min-height: 44px; }
.alert { grid-column: 1 / -1; justify-self: center; background: var(--panel); border: 2px solid var(--warn); border-radius: 10px; margin: 40px auto; max-width: 640px; padding: 20px; }
@media (max-width: 760px) { main { grid-template-columns: minmax(0, 1fr); } }
`;
