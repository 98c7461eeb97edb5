import { type ApiResponse, document } from '../api-response.ts';
import { openApi } from '../openapi/openapi.ts';
import { docsPage } from './docs-page.ts';

/* The documentation of the API at an origin. It makes the schemas of all responses, so a function loads this file at its first use. */

export const documentAt = (origin: string): ApiResponse => document(openApi(origin));

export const pageAt = (origin: string): ApiResponse => docsPage(openApi(origin));
