/** Levels of percent-encoding that are undone. API Gateway undoes two. */
const LEVELS = 10;

/**
 * One form of a path, whatever the gateway did to it: API Gateway decodes a path twice and cuts it at a decoded `?`, other gateways pass
 * it on as it was sent. Every level of percent-encoding is undone, then the characters that a path cannot contain are encoded. An
 * encoded `/` is a separator, an encoded `?` is the end of the path.
 */
export function canonicalPath(rawPath: string): string {
  if (PLAIN.test(rawPath)) return rawPath;
  let path = rawPath;
  for (let level = 0; level < LEVELS && path.includes('%'); level += 1) path = decodedOnce(path);
  const [kept = ''] = path.split('?');
  // A lone surrogate has no encoding; the copy has U+FFFD in its place.
  return encodeURI(Buffer.from(kept).toString()).replaceAll('#', '%23').replaceAll(NOT_DECODED, '%$1');
}

/** A path that has one form only, as nearly all have. */
const PLAIN = /^[\w/.~-]*$/;

/** Bytes that are not UTF-8 stay encoded. */
const decodedOnce = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });

/** An escape that could not be decoded, and was encoded once more. */
const NOT_DECODED = /%25([0-9a-f]{2})/gi;
