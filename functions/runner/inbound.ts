import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { isFunction } from '../../shared/runtime/guards.ts';
import type { Outside } from '../../shared/runtime/redaction/public-values.ts';

/** Taken before the component can change them. */
const { apply, get } = Reflect;
const latin1: unknown = get(Buffer.prototype, 'latin1Slice');

/** Streams of Node's own that carry on what sockets received, by the names of their classes: most runs need none of their modules. */
const CARRYING: ReadonlySet<unknown> = new Set([
  'ClientHttp2Stream',
  'Gunzip',
  'Unzip',
  'Inflate',
  'InflateRaw',
  'BrotliDecompress',
  'ZstdDecompress',
]);

/** A body in chunks has their sizes in it (RFC 9112, 7.1). */
const CHUNK_SIZE = /\r\n[0-9a-f]{1,8}(;[^\r\n]{0,256})?\r\n/gi;
/** Sizes that may stand within one value. */
const FRAMING_BYTES = 1024;

/**
 * Lets `outside` hear every byte that this process receives from the network, and what was compressed in it. All of it passes
 * `Readable.prototype.push`: what sockets receive, decrypted, and what decompressors give. Streams that the component fills itself
 * are no outside; nor is `own`, through which the host speaks.
 */
export function hearInbound(outside: Outside, own: Socket): void {
  const push: unknown = get(Readable.prototype, 'push');
  if (!isFunction(push)) return;
  const heard = new WeakMap<Readable, { isInbound: boolean; tail: string }>();

  const hear = (stream: Readable, chunk: unknown): void => {
    if (!Buffer.isBuffer(chunk) || !isFunction(latin1)) return;
    let state = heard.get(stream);
    if (!state) heard.set(stream, (state = { isInbound: stream !== own && isInbound(stream), tail: '' }));
    if (!state.isInbound) return;
    const text = state.tail + String(apply(latin1, chunk, []));
    outside.hear(text);
    if (text.includes('\r\n')) outside.hear(text.replace(CHUNK_SIZE, ''));
    // A value may be cut in two.
    state.tail = text.slice(-outside.reach - FRAMING_BYTES);
  };

  Reflect.set(Readable.prototype, 'push', function (this: Readable, ...args: unknown[]): unknown {
    if (outside.isListening) {
      try {
        hear(this, args[0]);
      } catch {
        // Something of ours that the component has changed: what is not heard is hidden.
      }
    }
    return apply(push, this, args);
  });
}

const isInbound = (stream: Readable): boolean =>
  stream instanceof Socket || CARRYING.has(get(stream.constructor, 'name'));
