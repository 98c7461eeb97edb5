/** The template has something that the interpreter does not know: one sentence that names it. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
