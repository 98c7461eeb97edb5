import * as z from 'zod';
import type { LoadedProgram } from '../closed-loop.ts';
import { dueAtIn } from '../event-text.ts';
import { startSink } from '../raw-http.ts';

/** A program that its user has started, with everything that it needs. */
export interface RunningPeer {
  /** Its address, without a path. */
  readonly url: string;
  /** The key of its API. */
  readonly key: string;
  /** Its processes and those of its stores. */
  readonly pids: readonly number[];
}

/** How the program takes an event. */
interface Publishing {
  readonly path: string;
  readonly bodyOf: (event: string) => string;
}

const ResponseBody = z.looseObject({});

/** A request to the program's API. Throws with the response unless that is 2xx. */
export async function callPeer({ url, key }: RunningPeer, method: string, path: string, body: object) {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return ResponseBody.parse(JSON.parse(text));
}

/** The program delivers to webhooks of this process. It goes on afterwards. */
export async function loadPeer(
  peer: RunningPeer,
  webhooks: number,
  prepare: (urls: readonly string[]) => Promise<Publishing>,
): Promise<LoadedProgram> {
  const sink = await startSink();
  const stop = () => {
    sink.stop();
    return Promise.resolve();
  };
  try {
    const { path, bodyOf } = await prepare(Array.from({ length: webhooks }, (_, n) => `${sink.url}/${n}`));
    const program: LoadedProgram = {
      processes: peer.pids.map((pid) => ({ process: { pid } })),
      ingress: peer.url,
      paths: [path],
      headers: { authorization: `Bearer ${peer.key}` },
      bodyOf,
      webhooks,
      onDelivery: () => undefined,
      stop,
    };
    sink.onBody = (body, arrivedAt) => {
      program.onDelivery(dueAtIn(body), arrivedAt);
    };
    return program;
  } catch (error) {
    await stop();
    throw error;
  }
}
