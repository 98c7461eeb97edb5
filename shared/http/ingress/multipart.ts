import { Busboy } from '@fastify/busboy';
import { partsDecoder, UTF8 } from '../../lib/charset.ts';
import type { FormField, UploadedFile } from '../../domain/event/form-fields.ts';

const MAX_PARTS = 1000;

export const isMultipart = (contentType: string) => /^\s*multipart\/form-data\s*;/i.test(contentType);

/**
 * The parts of a `multipart/form-data` body, in their order. Undefined for a body that is none, and for one of more
 * than 1,000 parts.
 */
export function multipartParts(body: Buffer, contentType: string): Promise<FormField[] | undefined> {
  return new Promise((resolve) => {
    const refuse = () => resolve(undefined);
    const decode = partsDecoder(body);
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        isPartAFile: (_name, _type, fileName) => fileName !== undefined,
        limits: { parts: MAX_PARTS },
        defCharset: decode ? 'latin1' : 'utf8',
      });
      // Files end later than fields, so each part keeps the position at which it began.
      const parts: (FormField | undefined)[] = [];
      parser.on('field', (name: string | undefined, value) => {
        if (name !== undefined) parts.push([name, decode ? decode(value) : value]);
      });
      parser.on('file', (name: string | undefined, file, filename, _encoding, mimetype) => {
        const position = parts.push(undefined) - 1;
        const chunks: Buffer[] = [];
        file.on('data', (chunk: Buffer) => chunks.push(chunk));
        file.on('end', () => {
          if (name !== undefined) parts[position] = [name, uploadedFile(Buffer.concat(chunks), { filename, mimetype })];
        });
        file.on('error', refuse);
      });
      parser.on('partsLimit', refuse);
      parser.on('error', refuse);
      parser.on('finish', () => resolve(parts.filter((part) => part !== undefined)));
      parser.end(body);
      // The whole body is here, so the parser ends within this turn of the event loop. It never ends for some malformed
      // headers.
      setImmediate(() => setImmediate(refuse));
    } catch {
      // The parser throws for a body without a boundary, and for headers with names such as `constructor`.
      refuse();
    }
  });
}

function uploadedFile(
  bytes: Buffer,
  { filename, mimetype }: Pick<UploadedFile, 'filename' | 'mimetype'>,
): UploadedFile {
  const about = { filename, mimetype, size: bytes.length };
  try {
    return { ...about, content: UTF8.decode(bytes) };
  } catch {
    return { ...about, content: bytes.toString('base64'), isBase64Encoded: true };
  }
}
