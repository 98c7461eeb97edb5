import { openApi } from '../openapi/openapi.ts';
import type { ApiResult } from '../exchange.ts';
import type { Request } from '../http.ts';
import { compressedFile, etagOf, fileResponse, type StaticFile } from '../files/static-file.ts';
import { CONTENT_SECURITY_POLICY, docsPage } from './docs-page.ts';

/*
 * The documentation of the API at an origin. It makes the schemas of all responses, so a function loads this file at
 * its first use.
 */

type FileRequest = Pick<Request, 'origin' | 'header'>;

/** Stands for the origin in the texts that are made once. */
const ANY_ORIGIN = 'http://origin.invalid';
/**
 * Origins whose compressed forms are kept. A service has few names; other names get the plain text, which costs no
 * compression.
 */
const MAX_KEPT = 8;

/** A text about the API, with the forms for the origins that are asked for. */
class OriginText {
  readonly #contentType: string;
  readonly #text: string;
  readonly #kept = new Map<string, StaticFile>();

  constructor(contentType: string, text: string) {
    this.#contentType = contentType;
    this.#text = text;
  }

  at(origin: string): StaticFile {
    const kept = this.#kept.get(origin);
    if (kept) return kept;
    const text = this.#text.replaceAll(ANY_ORIGIN, origin);
    if (this.#kept.size >= MAX_KEPT) {
      const content = Buffer.from(text).toString('base64');
      return { contentType: this.#contentType, etag: etagOf(content), content, encoded: new Map() };
    }
    const made = compressedFile(this.#contentType, text);
    this.#kept.set(origin, made);
    return made;
  }
}

let document: OriginText | undefined;
let page: OriginText | undefined;

export function documentAt(request: FileRequest): ApiResult {
  document ??= new OriginText('application/json', JSON.stringify(openApi(ANY_ORIGIN)));
  return responseOf(document, request);
}

export function pageAt(request: FileRequest): ApiResult {
  page ??= new OriginText('text/html; charset=utf-8', docsPage(openApi(ANY_ORIGIN)));
  const { headers, ...response } = responseOf(page, request);
  return {
    ...response,
    headers: {
      ...headers,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
  };
}

/** Clients ask each time whether it has changed. */
const responseOf = (text: OriginText, { origin, header }: FileRequest): ApiResult =>
  fileResponse(text.at(origin), { header, cacheControl: 'no-cache' });
