import { gunzipSync } from 'node:zlib';
import type { Faults } from '../faults.ts';
import type { HttpResponse } from './responses/http-response.ts';
import { MAX_BODY_BYTES, type Received } from './event.ts';

/*
 * Forms that API Gateway gives to requests and responses. Most of them are observed and not documented, so the services
 * must accept both forms, and fault injection alternates them.
 */

/** A request in one of its forms. */
export function requestForm(received: Received, faults: Faults): Received {
  let form = received;
  const path = form.path.includes('%') ? gatewayPath(form.path) : undefined;
  if (path !== undefined && faults.inject('decoded-path')) form = { ...form, path };
  if (isGzip(form) && faults.inject('decoded-body')) form = { ...form, ...gunzipped(form) };
  if (form.body.length > 0 && faults.inject('base64-body')) form = { ...form, isBinary: true };
  if (faults.inject('gateway-header')) form = { ...form, rawHeaders: gatewayHeaders(form) };
  return form;
}

/** A response in one of its forms. */
export function responseForm<R extends Pick<HttpResponse, 'headers'>>(response: R, faults: Faults): R {
  if (!response.headers.some(isRenamed) || !faults.inject('renamed-header')) return response;
  return {
    ...response,
    headers: response.headers.map((text, n) => (isRenamed(text, n) ? `x-amzn-Remapped-${text}` : text)),
  };
}

/**
 * Whether the `n`th text of a list of headers is a name that API Gateway replaces. Each name is followed by its value.
 */
const isRenamed = (text: string, n: number) => n % 2 === 0 && RENAMED.test(text);

/**
 * `rawPath` is decoded, cut at a question mark, and decoded again; undefined where API Gateway answers 400 itself,
 * because an escape is malformed. Captured in https://github.com/hotsock/voker/pull/8.
 */
export function gatewayPath(path: string): string | undefined {
  try {
    const [once = ''] = decodeURIComponent(path).split('?');
    return decodeURIComponent(once);
  } catch {
    return undefined;
  }
}

/** Whether a body has the first bytes of gzip, and the header that says so. */
const isGzip = ({ rawHeaders, body }: Received): boolean =>
  body[0] === 0x1f &&
  body[1] === 0x8b &&
  rawHeaders.some((name, n) => n % 2 === 0 && /^content-encoding$/i.test(name) && rawHeaders[n + 1] === 'gzip');

/**
 * A body in gzip as its content, without the headers of its coding and length; undefined when it cannot be decoded. A
 * REST API decodes such a body; the documentation of HTTP APIs does not say whether they do.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-make-request-with-compressed-payload.html
 */
function gunzipped({ rawHeaders, body }: Received): Pick<Received, 'rawHeaders' | 'body'> | undefined {
  const kept = rawHeaders.flatMap((name, n) =>
    n % 2 === 0 && !/^content-(?:encoding|length)$/i.test(name) ? [name, rawHeaders[n + 1] ?? ''] : [],
  );
  try {
    return { rawHeaders: kept, body: gunzipSync(body, { maxOutputLength: MAX_BODY_BYTES }) };
  } catch {
    return undefined;
  }
}

/**
 * `X-Forwarded-*` becomes `Forwarded`, and a request without body gets a content type and a length.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html#api-gateway-known-issues-http-apis
 */
function gatewayHeaders({ rawHeaders, body, sourceIp }: Received): string[] {
  const kept = rawHeaders.flatMap((name, n) =>
    n % 2 === 0 && !/^x-forwarded-/i.test(name) ? [name, rawHeaders[n + 1] ?? ''] : [],
  );
  const names = new Set(kept.filter((_, n) => n % 2 === 0).map((name) => name.toLowerCase()));
  const added =
    body.length > 0
      ? []
      : [
          ['content-type', 'application/octet-stream'],
          ['content-length', '0'],
        ];
  return [
    ...kept,
    ...['Forwarded', `by=3.3.3.3;for=${sourceIp};host=gateway;proto=https`],
    ...added.filter(([name = '']) => !names.has(name)).flat(),
  ];
}

/**
 * Names that a function may not answer with. API Gateway passes on their values under another name.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html and, for HTTP APIs,
 * https://github.com/anthropics/claude-ai-mcp/issues/748
 */
const RENAMED = /^(?:www-authenticate|authorization|server)$/i;
