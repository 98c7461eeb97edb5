/**
 * The path of a request, decoded once; an encoded `/` is a separator. Bytes that are not UTF-8, and malformed escapes, stay encoded. API
 * Gateway has decoded a path already, and has cut it at a decoded `?`.
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
