type Members = Record<string, unknown>;

interface Operation<HttpResponse> {
  parameters: { path?: Record<string, string>; query?: Members };
  requestBody?: { content: { 'application/json': unknown } };
  responses: { 200: { content: { 'application/json': HttpResponse } } };
}

interface One {
  data: Members;
}
interface List {
  data: Members[];
  page_info: { end_cursor: string | null };
}

/**
 * Any path of the API, loosely. In the package, the types of the OpenAPI document are in the place of this file:
 * openapi-typescript generates them when the package is built.
 */
export type paths = Record<
  string,
  { get: Operation<List>; post: Operation<One>; put: Operation<One>; delete: Operation<One> }
>;

/** The schemas of the document, such as `components['schemas']['Source']`. */
export interface components {
  schemas: Record<string, unknown>;
}
