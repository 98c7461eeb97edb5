/** The text of base64 of a gzipped text. Most components need no zlib, so it is loaded at the first use. */
export const gunzipped = (packed: string): string =>
  process.getBuiltinModule('node:zlib').gunzipSync(Buffer.from(packed, 'base64')).toString();
