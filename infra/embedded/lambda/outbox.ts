/** Sends the messages of one turn of the event loop together: waking a thread costs more than most messages. */
export class Outbox<Message> {
  readonly #send: (messages: readonly Message[]) => void;
  #waiting: Message[] = [];

  constructor(send: (messages: readonly Message[]) => void) {
    this.#send = send;
  }

  add(message: Message): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(message);
  }

  #flush(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    this.#send(messages);
  }
}
