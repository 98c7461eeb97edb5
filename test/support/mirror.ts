import { expect } from 'vitest';
import { Scene } from './scene.ts';

/** Answers with its event. */
const MIRROR = `export default {
  name: 'Mirror', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run(event) { this.http.respond({ status: 200, body: event }); },
};`;

interface MirroredEvent {
  path: string;
  url: string;
  client_ip: string;
  query: unknown;
  body: unknown;
  bodyRaw: string;
  isBase64Encoded?: boolean;
  headers: Record<string, string>;
}

/** A source that shows requests as a component sees them. */
export class Mirror {
  readonly scene: Scene;
  readonly endpoint: string;

  private constructor(scene: Scene, endpoint: string) {
    this.scene = scene;
    this.endpoint = endpoint;
  }

  static async open(): Promise<Mirror> {
    const scene = await Scene.open({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
    const { endpoint } = await scene.source(MIRROR);
    return new Mirror(scene, endpoint);
  }

  async seen(init: RequestInit = {}, path = ''): Promise<MirroredEvent> {
    const response = await fetch(this.endpoint + path, init);
    expect(response.status).toBe(200);
    return (await response.json()) as MirroredEvent;
  }

  /** `fetch` would give a body its own type, so the type is always said; an empty one is sent as it is. */
  sent(type: string, body: string | Uint8Array<ArrayBuffer>, more = {}): Promise<MirroredEvent> {
    return this.seen({ method: 'POST', headers: { 'content-type': type, ...more }, body });
  }

  close(): Promise<void> {
    return this.scene.close();
  }
}
