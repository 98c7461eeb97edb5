import type { Service } from '../../../support/service.ts';
import type { LoadedProgram } from '../closed-loop.ts';
import { dueAtIn } from '../event-text.ts';
import { startSink } from '../raw-http.ts';

/** A started program whose endpoint has one path. */
export interface StartedPeer extends Pick<Service, 'process' | 'ingress'> {
  readonly path: string;
}

/** A program that delivers to webhooks of this process. */
export async function startPeer(
  webhooks: number,
  start: (urls: readonly string[]) => Promise<StartedPeer>,
): Promise<LoadedProgram> {
  const sink = await startSink();
  try {
    const service = await start(Array.from({ length: webhooks }, (_, n) => `${sink.url}/${n}`));
    const ended = new Promise((resolve) => service.process.once('exit', resolve));
    const program: LoadedProgram = {
      processes: [service],
      ingress: service.ingress,
      paths: [service.path],
      webhooks,
      onDelivery: () => undefined,
      stop: async () => {
        service.process.kill('SIGKILL');
        await ended;
        sink.stop();
      },
    };
    sink.onBody = (body, arrivedAt) => {
      program.onDelivery(dueAtIn(body), arrivedAt);
    };
    return program;
  } catch (error) {
    sink.stop();
    throw error;
  }
}
