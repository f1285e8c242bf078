import type { Documents } from '../documents.ts';
import { apiDescription } from '../openapi.ts';
import { feedSections } from './feeds.ts';
import { type Html, html } from './html.ts';
import { operationSection, type PathItem } from './operation-section.ts';

interface OpenApiShape {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, PathItem>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly description: string }>> };
}

/** The readable reference: one page without scripts, made of the two documents, so that it reads offline and prints. */
export function referencePage(documents: Documents): string {
  const { tags, paths, components } = documents.openApi as unknown as OpenApiShape;
  const items = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, item]) => ({ path, method: method.toUpperCase(), item })),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    items: items.filter(({ item }) => item.tags.includes(tag.name)),
  }));
  const feeds = feedSections(documents.asyncApi);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Potstream reference</title>
<link rel="stylesheet" href="/docs/reference.css">
<link rel="icon" href="/favicon.svg">
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<h1>Potstream reference</h1>
<p>Made of the shapes that validate. For machines: <a href="/v1/openapi.json">OpenAPI 3.1</a>, <a href="/v1/asyncapi.json">AsyncAPI 3</a>.</p>
</header>
<div class="columns">
<nav aria-label="Operations">
<details class="contents" open><summary>Contents</summary>
<ul>
${groups.map(({ name, items: own }) => html`<li><a href="#${slug(name)}">${name}</a><ul>${own.map(contentsLine)}</ul></li>`)}
<li><a href="#feeds">Feeds</a><ul>${feeds.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></li>
<li><a href="#errors">Errors</a></li>
</ul>
</details>
</nav>
<main id="content">
${apiDescription.split('\n\n').map((paragraph) => html`<p>${paragraph}</p>`)}
${groups.map(
  ({
    name,
    description,
    items: own,
  }) => html`<section id="${slug(name)}"><h2>${name}</h2><p>${description}</p>
${own.map(operationSection)}</section>`,
)}
<section id="feeds"><h2>Feeds</h2>${feeds.map(({ section }) => section)}</section>
${errorSection(components.responses)}
</main>
</div>
</body>
</html>
`;
  return page.html;
}

function contentsLine({ item }: { readonly item: PathItem }): Html {
  return html`<li><a href="#${item.operationId}">${item.summary}</a></li>`;
}

function errorSection(responses: OpenApiShape['components']['responses']): Html {
  const rows = Object.entries(responses).map(
    ([name, { description }]) =>
      html`<tr><th scope="row">${name.replace('Error', '')}</th><td>${description.replaceAll('`', '')}</td></tr>`,
  );
  return html`<section id="errors"><h2>Errors</h2>
<p>Every error is exactly <code>{status_code, code, message}</code>. 429, 503 and what is still in progress say in <code>Retry-After</code> when to come back.</p>
<div class="wide"><table><thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function slug(name: string): string {
  return name.toLowerCase();
}
