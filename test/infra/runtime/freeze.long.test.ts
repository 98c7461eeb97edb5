import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { testAssembly } from '../../support/cloud.ts';
import { componentServer } from '../../support/lambda-runtime/component-server.ts';
import {
  type ExecutionEnvironment,
  describeRuntime,
  isInitialised,
  startEnvironment,
} from '../../support/lambda-runtime/execution-environment.ts';
import { componentOf, runIn, runRequest } from '../../support/lambda-runtime/runner-client.ts';
import { until } from '../../support/until.ts';

const stateOf = (pid: number) => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ');
/** The pid inside of the environment. */
const innerPidOf = (pid: number) => Number(/^NSpid:.*\s(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const childrenOf = (environment: ExecutionEnvironment) =>
  environment.processes().filter((pid) => commandOf(pid).includes('/var/task/child.js'));

async function frozen(environment: ExecutionEnvironment): Promise<void> {
  environment.freeze();
  await until('every process stands still', () => environment.processes().every((pid) => stateOf(pid) === 'T'));
}

async function runner() {
  const [server, environment] = await Promise.all([
    componentServer(),
    startEnvironment('runner', { assembly: testAssembly() }),
  ]);
  await isInitialised(environment);
  return { server, environment };
}

const pid = componentOf(`this.$emit(process.pid);`);

describeRuntime('a runner that AWS freezes and thaws', () => {
  test('between invocations keeps its warm process', async () => {
    const { server, environment } = await runner();
    const first = await runIn(environment, runRequest(server, pid));
    expect(first.end).toBe('ok');
    for (let round = 0; round < 3; round += 1) {
      await frozen(environment);
      environment.thaw();
      expect(await runIn(environment, runRequest(server, pid))).toEqual(first);
    }
  });

  test('during an invocation goes on with the run', async () => {
    const { server, environment } = await runner();
    const code = componentOf(`await fetch('${server.origin}/wait'); this.$emit('done');`);
    const response = runIn(environment, runRequest(server, code));
    await until('the run waits', () => server.waiting === 1);
    await frozen(environment);
    server.respondToWaiting();
    environment.thaw();
    expect(await response).toEqual({ events: ['done'], end: 'ok' });
  });

  test('while a spare process starts has one for the next source', async () => {
    const { server, environment } = await runner();
    await until('a spare process starts', () => childrenOf(environment).length > 0);
    await frozen(environment);
    environment.thaw();
    expect(await runIn(environment, runRequest(server, pid))).toMatchObject({ end: 'ok' });
  });

  /** Longer than a process may take to start. */
  const LONG_FREEZE_MS = 25_000;

  test.runIf(inject('repetitions') === 'many')(
    'for longer than a spare process may take to start uses that process',
    async () => {
      const { server, environment } = await runner();
      const [spare = 0] = await until('a spare process starts', () => {
        const children = childrenOf(environment);
        return children.length > 0 && children;
      });
      await frozen(environment);
      await new Promise((resolve) => setTimeout(resolve, LONG_FREEZE_MS));
      environment.thaw();
      const expected = innerPidOf(spare);
      expect(await runIn(environment, runRequest(server, pid))).toEqual({ events: [expected], end: 'ok' });
    },
  );

  test('starts another process for a source when the spare one did not survive', async () => {
    const { server, environment } = await runner();
    for (const code of ['first', 'second']) {
      const [spare] = await until('a spare process', () => {
        const children = childrenOf(environment);
        return children.length > (code === 'first' ? 0 : 1) && children.slice(-1);
      });
      await frozen(environment);
      if (spare !== undefined) process.kill(spare, 'SIGKILL');
      const response = runIn(environment, runRequest(server, `// ${code}\n${pid}`));
      environment.thaw();
      expect(await response).toMatchObject({ end: 'ok' });
    }
  });
});
