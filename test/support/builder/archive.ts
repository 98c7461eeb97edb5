import { gzipSync } from 'node:zlib';

export interface Entry {
  path: string;
  content?: string | Buffer;
  /** `0` a file, `1` a hard link, `2` a symbolic link, `5` a folder. */
  type?: '0' | '1' | '2' | '5';
  target?: string;
}

const BLOCK = 512;

function header({ path, content = '', type = '0', target = '' }: Entry): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 100);
  block.write('0000644', 100);
  block.write(Buffer.byteLength(content).toString(8).padStart(11, '0'), 124);
  block.write('00000000000', 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(target, 157, 100);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A gzipped archive of `tar`, also of entries that no package has. */
export function archive(entries: Iterable<Entry>): Buffer {
  const blocks: Buffer[] = [];
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '');
    blocks.push(header(entry), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK));
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 1 });
}
