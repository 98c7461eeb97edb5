import { createHost } from '../../../../functions/runner/host.ts';
import { RunnerRequest } from '../../../../shared/domain/run.ts';
import { Collector } from './harness.ts';

/**
 * A process that is nothing but a host, for tests that end it: `service.ts <child.js> <request as JSON>…`. Each request is
 * started; every emit of a process id is printed.
 */
const [script = '', ...requests] = process.argv.slice(2);
const host = createHost({ script, warm: 16, env: process.env });
for (const request of requests) {
  const collector = new Collector((line) => {
    if (line.k === 'emit') console.log(line.json);
  });
  void host.run(RunnerRequest.parse(JSON.parse(request)), collector);
}
setInterval(() => undefined, 1000);
