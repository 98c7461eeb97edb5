/**
 * The path of a request, decoded once; an encoded `/` is a separator. Bytes that are not UTF-8, and malformed escapes,
 * stay encoded. API Gateway has decoded a path already, and has cut it at a decoded `?`.
 */
export const decodedPath = (rawPath: string): string =>
  rawPath.includes('%')
    ? rawPath.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
        try {
          return decodeURIComponent(escapes);
        } catch {
          return escapes;
        }
      })
    : rawPath;

/**
 * Characters that a path has only in an encoding, and `%` where it begins none.
 * https://url.spec.whatwg.org/#path-percent-encode-set
 */
const ENCODED = /[^\x21-\x7e]|["#<>?^`{}]|%(?![0-9a-f]{2})/giu;

/** A path as nearly all are. */
const PLAIN = /^[\w/.~-]*$/;

/** The path as its sender wrote it; encoded anew if API Gateway has decoded it. */
export const sentPath = (rawPath: string): string =>
  // A lone surrogate has no encoding; the copy has U+FFFD in its place.
  PLAIN.test(rawPath) ? rawPath : Buffer.from(rawPath).toString().replaceAll(ENCODED, encodeURIComponent);
