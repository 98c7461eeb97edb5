/** A received body: a small body as bytes to commit, a large body as the id of a file that survives a crash. */
export interface ReceivedBody {
  readonly size: number;
  /** Without quotes: the MD5 in hexadecimal, of a large body as S3 names one that was uploaded in parts. */
  readonly etag: string;
  readonly content: { readonly bytes: Uint8Array } | { readonly file: string };
}
