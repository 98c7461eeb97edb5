/** Why a text is no JSON object; undefined for one, and for no text. The service checks the pattern itself. */
export function filterProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const pattern: unknown = JSON.parse(text);
    if (typeof pattern === 'object' && pattern !== null && !Array.isArray(pattern)) return undefined;
  } catch {
    // The text is no JSON.
  }
  return 'The filter must be a JSON object, such as {"status": ["paid"]}.';
}
