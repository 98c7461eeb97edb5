import { createHash } from 'node:crypto';
import type { JsonSchema } from '../openapi/json-schema.ts';
import { curlOfOperation } from './curl-of-operation.ts';
import { SCRIPT } from './docs-script.ts';
import { STYLE } from './docs-style.ts';
import { ApiDocument, namedBy, type ObjectSchema, type Operation, typeText } from './document-parts.ts';
import { html, Markup, prose } from './markup.ts';

/** Without white space around the text, which would be part of the hash. */
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Markup(`<script>${SCRIPT}</script>`);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${hashOf(STYLE)}'; script-src 'sha256-${hashOf(SCRIPT)}'; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

/** The OpenAPI document as one static page. Its script searches in it; it loads nothing. */
export function docsPage(openApi: JsonSchema): string {
  const { info, servers, tags, paths, components } = ApiDocument.parse(openApi);
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method, path, operation })),
  );
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    operations: listed.filter(({ operation }) => operation.tags[0] === name),
  }));
  const shown = groups.filter(({ operations }) => operations.length > 0);
  const title = `${info.title} API`;
  const origin = servers[0]?.url ?? '';
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <div class="page">
          <header class="side">
            <div class="brand">${MARK} Tributary</div>
            <div class="search" hidden>
              <label for="search">Search</label>
              <input type="search" id="search" autocomplete="off" spellcheck="false" />
              <p role="status"></p>
            </div>
            <nav aria-label="Operations">
              ${shown.map(groupLinks)}
              <div data-group>
                <h2>Objects</h2>
                <ul>
                  ${Object.keys(components.schemas).map((name) => html`<li><a href="#object-${name}">${name}</a></li>`)}
                </ul>
              </div>
            </nav>
          </header>
          <main>
            <h1>${title}</h1>
            <p>
              Version ${info.version} at <code>${origin}</code>. <a href="/openapi.json">openapi.json</a> is this page
              for programs.
            </p>
            <p>${prose(info.description)}</p>
            <p>${prose('Send your API key with every request: `Authorization: Bearer <API key>`.')}</p>
            ${shown.map(
              ({ name, description, operations }) =>
                html`<div data-group>
                  <h2>${capitalised(name)}</h2>
                  <p>${prose(description)}</p>
                  ${operations.map((each) => operationSection(each, origin))}
                </div>`,
            )}
            <div data-group>
              <h2>Objects</h2>
              ${Object.entries(components.schemas).map(objectSection)}
            </div>
          </main>
        </div>
        ${SCRIPT_ELEMENT}
      </body>
    </html> `;
  return page.text;
}

const groupLinks = ({ name, operations }: { name: string; operations: readonly Listed[] }): Markup =>
  html`<div data-group>
    <h2>${capitalised(name)}</h2>
    <ul>
      ${operations.map(
        ({ method, path, operation }) =>
          html`<li>
            <a href="#${operation.operationId}">${methodMark(method)} <span>${breaking(shortPath(path))}</span></a>
          </li>`,
      )}
    </ul>
  </div>`;

/** The mark of the console. */
const MARK = html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
  <rect width="32" height="32" rx="8" />
  <path d="M8 7c0 6 8 5 8 11v7M24 7c0 6-8 5-8 11" />
</svg>`;

const methodMark = (method: string): Markup => html`<span class="method ${method}">${method.toUpperCase()}</span>`;

const shortPath = (path: string): string => path.replace(/^\/v1/, '');
/** A long path goes on after a slash, on the next line. */
const breaking = (path: string): Markup[] =>
  path.split('/').map((part, n) => (n === 0 ? html`${part}` : html`/<wbr />${part}`));
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function operationSection({ method, path, operation }: Listed, origin: string): Markup {
  const {
    operationId,
    description,
    parameters,
    requestBody,
    responses,
    security,
    'x-extension': isExtension,
  } = operation;
  const scopes = security.flatMap((each) => Object.values(each).flat());
  const body = requestBody?.content['application/json'];
  return html`<section id="${operationId}">
    <h3>${methodMark(method)} <code>${path}</code></h3>
    <p>
      ${prose(description)}${isExtension ? html` <em>Extension.</em>` : undefined}
      ${scopes.map((scope) => html` Scope: <code>${scope}</code>.`)}
    </p>
    <pre tabindex="0">${curlOfOperation({ origin, method, path, operation })}</pre>
    ${
      parameters.length === 0
        ? undefined
        : html`<h4>Parameters</h4>
            ${table(
              parameters.map(({ name, in: location, required, description: text, schema }) => ({
                name,
                notes: `${location}, ${typeText(schema)}${required ? ', required' : ''}`,
                text,
              })),
            )}`
    }
    ${
      body === undefined
        ? undefined
        : html`<h4>Body</h4>
            ${propertyTable(Object(body.schema))}${sample(body.example)}`
    }
    <h4>Responses</h4>
    ${Object.entries(responses).map(([status, response]) => {
      const { description: text = words(namedBy(response.$ref ?? '')), content } = response;
      const [body] = Object.values(content ?? {});
      const shown = body && typeof body.example === 'object' ? sample(body.example) : undefined;
      return html`<p><code>${status}</code> ${text}</p>
        ${shown}`;
    })}
  </section> `;
}

/** `TooManyRequests` → `Too many requests.` */
const words = (name: string): string =>
  `${capitalised(name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))}.`;

const sample = (example: unknown): Markup | undefined =>
  example === undefined ? undefined : html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`;

const objectSection = ([name, schema]: [string, ObjectSchema]): Markup =>
  html`<section id="object-${name}">
    <h3>${name}</h3>
    ${schema.properties ? propertyTable(schema) : html`<p>${typeText(schema)}</p>`}
  </section>`;

const propertyTable = ({ properties = {}, required = [] }: Partial<ObjectSchema>): Markup =>
  table(
    Object.entries(properties).map(([name, schema]) => ({
      name,
      notes: `${typeText(schema)}${required.includes(name) ? '' : ', optional'}`,
      text: String(schema['description'] ?? ''),
    })),
  );

const table = (rows: readonly { name: string; notes: string; text: string }[]): Markup =>
  html`<table>
    <tbody>
      ${rows.map(
        ({ name, notes, text }) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${notes}</td>
            <td>${prose(text)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
