import { onTestFinished } from 'vitest';
import { DEADLINE_MS, until } from './until.ts';

export interface Message {
  /** Empty for a default message. */
  event: string;
  id: string;
  data: string;
}

/** A live stream as a client without any library sees it. */
export class LiveStream {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that came. */
  text = '';
  isOver = false;
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#abort = abort;
    void this.#read(response);
  }

  /** The connection ends with the test. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveStream> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    onTestFinished(() => {
      abort.abort();
    });
    return new LiveStream(response, abort);
  }

  close(): void {
    this.#abort.abort();
  }

  get messages(): Message[] {
    const blocks = this.text.split('\n\n').slice(0, -1);
    return blocks.filter((block) => /^(?:event|id|data):/m.test(block)).map(messageOf);
  }

  /** The events that came, without other messages. */
  get events(): Message[] {
    return this.messages.filter(({ event }) => event === '');
  }

  /** Waits for so many events. */
  eventsUntil(count: number): Promise<Message[]> {
    return until(`${count} events came`, () => this.events.length >= count && this.events);
  }

  started(): Promise<Message> {
    return until('the stream has started', () => this.messages.find(({ event }) => event === 'start'));
  }

  ended({ withinMs = DEADLINE_MS } = {}): Promise<boolean> {
    return until('the stream has ended', () => this.isOver, { withinMs });
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) this.text += decoder.decode(chunk, { stream: true });
    } catch {
      // The test or the service ended the connection.
    }
    this.isOver = true;
  }
}

function messageOf(block: string): Message {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
  return { event: field('event'), id: field('id'), data: field('data') };
}
