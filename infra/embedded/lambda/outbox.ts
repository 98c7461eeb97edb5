/** Messages of one turn go together: to wake a thread costs more than what most of them say. */
export class Outbox<Message> {
  private readonly send: (messages: readonly Message[]) => void;
  private waiting: Message[] = [];

  constructor(send: (messages: readonly Message[]) => void) {
    this.send = send;
  }

  add(message: Message): void {
    if (this.waiting.length === 0) setImmediate(() => this.flush());
    this.waiting.push(message);
  }

  private flush(): void {
    const messages = this.waiting;
    this.waiting = [];
    this.send(messages);
  }
}
