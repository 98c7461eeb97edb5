/** The template has unknown content. The message names it in one sentence. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
