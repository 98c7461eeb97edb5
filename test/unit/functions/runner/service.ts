import { createHost } from '../../../../functions/runner/host.ts';
import { Spawner } from '../../../../infra/embedded/isolation/spawner.ts';
import { RunnerRequest } from '../../../../shared/domain/run/run.ts';
import { Collector } from './harness.ts';

/**
 * A process that is nothing but a host, for tests that end it: `service.ts <spawner.cjs> <child.js> <request as
 * JSON>…`. Each request is started; every emit of a process id is printed. SIGUSR2 kills it while it starts processes.
 */
const [spawner = '', script = '', ...requests] = process.argv.slice(2);
const settings = { hosts: {}, network: { allowPrivate: true, allowList: [] } };
const processes = new Spawner(spawner, { asked: 'process' });
const host = createHost({ processes, script, warm: 16, idleMb: 128, env: process.env, settings });
for (const request of requests) {
  const collector = new Collector((line) => {
    if (line.k === 'emit') console.log(line.json);
  });
  void host.run(RunnerRequest.parse(JSON.parse(request)), collector);
}
setInterval(() => undefined, 1000);

const STARTED_AT_DEATH = 20;
process.on('SIGUSR2', () => {
  for (let n = 0; n < STARTED_AT_DEATH; n += 1) {
    const temporary = processes.directory('runner-');
    void processes.start({
      owner: 'nobody',
      // The directory is for the test, which looks for it in command lines.
      args: ['-e', 'setInterval(() => undefined, 1000)', temporary],
      ...{ cwd: '/', env: {}, readable: [], writable: [], memoryMb: 1_000, temporary },
      network: { allowPrivate: true, allowList: [], exceptions: [] },
    });
  }
  // The requests to start them have been sent by then.
  setImmediate(() => process.kill(process.pid, 'SIGKILL'));
});
