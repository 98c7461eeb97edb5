/** Far below Lambda's limit of 6 MB, whatever the escapes. */
const SHORT = 100_000;

/** A text as a body: as base64 where that is shorter than the escaped text, because Lambda counts the JSON. */
export function encodedBody(text: string): { body: string; isBase64Encoded: boolean } {
  if (text.length > SHORT) {
    const body = Buffer.from(text).toString('base64');
    if (body.length < Buffer.byteLength(JSON.stringify(text))) return { body, isBase64Encoded: true };
  }
  return { body: text, isBase64Encoded: false };
}
