import { createHash } from 'node:crypto';
import type { ApiResponse } from '../api-response.ts';
import type { JsonSchema } from '../openapi/json-schema.ts';
import { STYLE } from './docs-style.ts';
import { ApiDocument, namedBy, type ObjectSchema, type Operation, typeText } from './document-parts.ts';
import { html, Markup, prose } from './markup.ts';

/** Without white space around the text, which would be part of the hash. */
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

/** The OpenAPI document as one static page without scripts. It loads nothing. */
export function docsPage(openApi: JsonSchema): ApiResponse {
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
          <nav aria-label="Operations">
            ${shown.map(
              ({ name, operations }) =>
                html`<h2>${name}</h2>
                  <ul>
                    ${operations.map(
                      ({ method, path, operation }) =>
                        html`<li>
                          <a href="#${operation.operationId}">${method.toUpperCase()} ${shortPath(path)}</a>
                        </li>`,
                    )}
                  </ul>`,
            )}
            <h2>Objects</h2>
            <ul>
              ${Object.keys(components.schemas).map((name) => html`<li><a href="#object-${name}">${name}</a></li>`)}
            </ul>
          </nav>
          <main>
            <h1>${title}</h1>
            <p>
              Version ${info.version} at <code>${servers[0]?.url ?? ''}</code>.
              <a href="/openapi.json">openapi.json</a> is this page for programs.
            </p>
            <p>${prose(info.description)}</p>
            <p>${prose('Send your API key with every request: `Authorization: Bearer <API key>`.')}</p>
            ${shown.map(
              ({ name, description, operations }) =>
                html`<h2>${capitalised(name)}</h2>
                  <p>${prose(description)}</p>
                  ${operations.map(operationSection)}`,
            )}
            <h2>Objects</h2>
            ${Object.entries(components.schemas).map(objectSection)}
          </main>
        </div>
      </body>
    </html> `;
  return { html: page.text, contentSecurityPolicy: CONTENT_SECURITY_POLICY };
}

const shortPath = (path: string): string => path.replace(/^\/v1/, '');
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function operationSection({ method, path, operation }: Listed): Markup {
  const { operationId, description, tags, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  return html`<section id="${operationId}">
    <h3><span class="method">${method.toUpperCase()}</span> <code>${path}</code></h3>
    <p>${prose(description)}${tags.includes('extensions') ? html` <em>Extension.</em>` : undefined}</p>
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
  example === undefined ? undefined : html`<pre>${JSON.stringify(example, null, 2)}</pre>`;

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
