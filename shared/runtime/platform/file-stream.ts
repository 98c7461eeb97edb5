import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';

export interface FileMetadata {
  /** Size in bytes, if known. */
  size?: number;
  contentType?: string;
  lastModified?: Date;
  name?: string;
  etag?: string;
}

export interface FileStream {
  stream: Readable;
  metadata: FileMetadata;
}

/** Streams a local file, or the response of an http(s) URL. */
export async function getFileStream(pathOrUrl: string): Promise<Readable> {
  return (await getFileStreamAndMetadata(pathOrUrl)).stream;
}

export async function getFileStreamAndMetadata(pathOrUrl: string): Promise<FileStream> {
  return /^https?:\/\//i.test(pathOrUrl) ? remote(pathOrUrl) : local(pathOrUrl);
}

async function local(path: string): Promise<FileStream> {
  const { size, mtime } = await stat(path);
  const contentType = TYPES[extname(path).toLowerCase()];
  const metadata = {
    size,
    lastModified: mtime,
    name: basename(path),
    ...(contentType ? { contentType } : {}),
  };
  return { stream: createReadStream(path), metadata };
}

async function remote(url: string): Promise<FileStream> {
  const response = await fetch(url);
  if (!response.ok || !response.body) {
    throw new Error(`The file cannot be fetched: ${response.status} ${response.statusText}`);
  }
  const { headers } = response;
  const metadata: FileMetadata = {};
  const size = headers.get('content-length');
  if (size !== null) metadata.size = Number(size);
  const type = headers.get('content-type');
  if (type !== null) metadata.contentType = type;
  const modified = headers.get('last-modified');
  if (modified !== null) metadata.lastModified = new Date(modified);
  const etag = headers.get('etag');
  if (etag !== null) metadata.etag = etag;
  const name = nameIn(headers.get('content-disposition')) ?? basename(new URL(response.url).pathname);
  if (name !== '') metadata.name = decoded(name);
  return { stream: Readable.from(response.body, { objectMode: false }), metadata };
}

const nameIn = (disposition: string | null): string | undefined =>
  /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const TYPES: Record<string, string> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};
