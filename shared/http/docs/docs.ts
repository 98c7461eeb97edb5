import { type Answer, document } from '../answer.ts';
import { openApi } from '../openapi/openapi.ts';
import { docsPage } from './docs-page.ts';

/* The documentation of the API at an origin. It makes the schemas of all answers, so a function loads this file at its first use. */

export const documentAt = (origin: string): Answer => document(openApi(origin));

export const pageAt = (origin: string): Answer => docsPage(openApi(origin));
