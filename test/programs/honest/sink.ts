import * as z from 'zod';
import { Receiver } from '../../support/receiver.ts';

const Numbered = z.object({ n: z.string() });

/** A receiver that notes the numbers of the events that it took. */
export interface Sink {
  readonly url: string;
  readonly arrived: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** `accepts`: whether the receiver takes an event; it answers 422 to others. */
export async function startSink(accepts: (n: string) => boolean = () => true): Promise<Sink> {
  const receiver = await Receiver.start();
  const arrived = new Set<string>();
  receiver.respond = (_, request) => {
    // Bodies of large events would fill the memory of the test.
    receiver.received.length = 0;
    const { n } = Numbered.parse(JSON.parse(request.body));
    if (!accepts(n)) return { status: 422 };
    arrived.add(n);
    return { status: 200 };
  };
  return { url: receiver.url, arrived, stop: () => receiver.stop() };
}
