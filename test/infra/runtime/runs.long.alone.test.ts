import { expect, test } from 'vitest';
import { BuildResult } from '../../../shared/domain/component/build-result.ts';
import { UserId } from '../../../shared/domain/id.ts';
import { testAssembly } from '../../support/cloud.ts';
import { componentServer } from '../../support/lambda-runtime/component-server.ts';
import {
  describeRuntime,
  isInitialised,
  startEnvironment,
} from '../../support/lambda-runtime/execution-environment.ts';
import { componentOf, linesOf, runIn, runRequest } from '../../support/lambda-runtime/runner-client.ts';
import { until } from '../../support/until.ts';
import { registryCertificates } from '../../support/registry-certificates.ts';

const runner = () => startEnvironment('runner', { assembly: testAssembly() });

describeRuntime("on Node 24, under AWS's runtime client, as a user without rights", () => {
  test('the builder installs packages of a component, and the runner runs what it built', async () => {
    const server = await componentServer();
    const builder = await startEnvironment('builder', {
      assembly: testAssembly(),
      env: registryCertificates(),
    });
    const code = `import ms from 'ms'; ${componentOf(`this.$emit(ms('2 days'));`)}`;
    const uploads = {
      attempt: '0'.repeat(32),
      bundle: `${server.origin}/bundle`,
      manifest: `${server.origin}/manifest`,
    };
    const { body } = await builder.invoke({ ownerId: UserId.parse('u_test'), code, uploads }, { tenantId: 'u_test' });
    expect(BuildResult.parse(JSON.parse(body)), body + builder.output).toMatchObject({ ok: true });
    const bundle = server.uploads.get('/bundle')?.toString() ?? '';
    expect(await runIn(await runner(), runRequest(server, bundle))).toEqual({
      events: [172_800_000],
      end: 'ok',
    });
  });

  test('the runner sends each line while the run goes on', async () => {
    const server = await componentServer();
    const environment = await runner();
    const code = componentOf(`this.$emit('first'); await fetch('${server.origin}/wait'); this.$emit('last');`);
    let streamed = '';
    const response = environment.invoke(runRequest(server, code), {
      tenantId: 'u_test',
      onPiece: (text) => (streamed += text),
    });
    await until('the first line', () => {
      if (environment.api.failure) throw environment.api.failure;
      return streamed.includes('first') && server.waiting === 1;
    });
    expect(streamed).not.toContain('last');
    server.respondToWaiting();
    expect(linesOf(await response).map(({ k }) => k)).toEqual(['emit', 'emit', 'end']);
  });

  test('a component writes to /tmp, and nothing else can be written', async () => {
    const server = await componentServer();
    const environment = await runner();
    const code = `import { readFileSync, writeFileSync } from 'node:fs'; ${componentOf(
      `writeFileSync('/tmp/x', 'kept'); this.$emit(readFileSync('/tmp/x', 'utf8'));
       for (const path of ['/var/task/x', '/x']) try { writeFileSync(path, ''); } catch ({ code }) { this.$emit(code); }`,
    )}`;
    expect(await runIn(environment, runRequest(server, code))).toEqual({
      events: ['kept', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'],
      end: 'ok',
    });
  });

  test('a component does not reach the runtime API, nor the environment of the function', async () => {
    const server = await componentServer();
    const environment = await runner();
    const code = componentOf(`
      this.$emit(Object.keys(process.env).filter((name) => /^(AWS|LAMBDA|_)/.test(name)));
      await fetch('http://${environment.api.address}/2018-06-01/runtime/invocation/next').then(
        () => this.$emit('reached'), () => this.$emit('refused'));`);
    await isInitialised(environment);
    const before = environment.api.requests.length;
    expect(await runIn(environment, runRequest(server, code))).toEqual({
      events: [[], 'refused'],
      end: 'ok',
    });
    const asked = environment.api.requests.slice(before).filter((line) => line.startsWith('GET'));
    // The runtime client alone asks, once per invocation.
    expect(asked.length).toBeLessThanOrEqual(1);
  });
});
