import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Clock } from '../../../infra/embedded/clock.ts';
import type { EndpointForm } from '../../../shared/domain/source/endpoint-address.ts';
import { assemblyWith } from '../../support/assembly-with.ts';
import { type FileServer, serveFiles } from '../../support/files-over-http.ts';
import { PIPEDREAM } from '../../support/pipedream.ts';
import { operator } from '../../support/operator.ts';
import { registryCertificates } from '../../support/registry-certificates.ts';
import { type Deployed, deployed, Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { selfSigned } from './certificate.ts';
import type { Account, Addresses, Scenario } from './scenario.ts';
import { PLAIN, StandIns, type Upstream } from './stand-in.ts';

/** A service whose components reach stand-ins instead of their upstreams, and a server of their untouched files. */
export class TestStage {
  readonly scene: Scene;
  readonly standIns: StandIns;
  readonly #files: FileServer;
  readonly #folder: string;

  private constructor(scene: Scene, standIns: StandIns, files: FileServer, folder: string) {
    this.scene = scene;
    this.standIns = standIns;
    this.#files = files;
    this.#folder = folder;
  }

  static async open(
    scenarios: readonly Scenario[],
    options: { clock?: Clock; publicUrl?: string } = {},
  ): Promise<TestStage> {
    const hosts = [
      ...new Set(scenarios.flatMap(({ host, elsewhere = [] }) => [host, ...elsewhere.map((one) => one.host)])),
    ];
    const certificate = selfSigned(['localhost', ...hosts.filter((host) => host !== PLAIN)]);
    const folder = mkdtempSync(join(tmpdir(), 'stand-ins-'));
    // Sandboxed processes are other users'.
    chmodSync(folder, 0o755);
    const authority = join(folder, 'authority.pem');
    // As an operator names the authorities that a machine trusts: those that it trusts already, and ours.
    const { NODE_EXTRA_CA_CERTS: trusted } = registryCertificates();
    writeFileSync(authority, `${trusted ? readFileSync(trusted, 'utf8') : ''}\n${certificate.cert}`);
    process.env['NODE_EXTRA_CA_CERTS'] = authority;
    const standIns = await StandIns.start(certificate);
    const assembly = assemblyWith({ runnerHosts: standIns.hostsFor(hosts) });
    const scene = await Scene.open({ assembly, ...options });
    const stage = new TestStage(scene, standIns, await serveFiles(PIPEDREAM), folder);
    for (const { plainRules, elsewhere = [] } of scenarios)
      for (const { host, rules } of [...(plainRules ? [{ host: PLAIN, rules: plainRules }] : []), ...elsewhere])
        standIns.upstream(host).rules = rules;
    return stage;
  }

  get addresses(): Addresses {
    return { plain: `http://127.0.0.1:${this.standIns.plainPort}` };
  }

  async deploy(
    scenario: Scenario,
    props: Record<string, unknown> = {},
    endpoint: EndpointForm = 'path',
  ): Promise<Deployed> {
    const { component, account, otherAccounts = [] } = scenario;
    const accounts: Record<string, unknown> = {};
    for (const one of [...(account ? [account] : []), ...otherAccounts])
      accounts[one.prop] = { authProvisionId: await this.#connect(one) };
    const body = {
      component_url: `${this.#files.origin}/components/${component}`,
      endpoint,
      configured_props: {
        ...scenario.props?.(this.addresses),
        ...props,
        ...accounts,
      },
    };
    // Packages in no cache may take longer to install than a request may last.
    const response = await until('its build', async () => {
      const response = await this.scene.api.post('/sources', body);
      return response.status !== 503 && response;
    });
    if (response.status !== 200) throw new Error(`POST /sources: ${response.status} ${response.text}`);
    return deployed(response.body.data);
  }

  /** As an operator connects one. */
  async #connect({ app, fields }: Account): Promise<string> {
    const { body } = await this.scene.api.get('/users/me');
    const field = Object.entries(fields).map(
      ([name, value]) => `${name}=${typeof value === 'function' ? value(this.addresses) : value}`,
    );
    const { id } = await operator(this.scene.cloud)<{ id: string }>('accounts add', {
      owner: body.data.id,
      app,
      field,
    });
    return id;
  }

  async close(): Promise<void> {
    await this.scene.close();
    await this.standIns.stop();
    await this.#files.stop();
    rmSync(this.#folder, { recursive: true, force: true });
    // Other files of this process have authorities of their own.
    delete process.env['NODE_EXTRA_CA_CERTS'];
  }
}

/** Checks that the upstream accepted every request and got every expected one. */
export function expectSatisfied(upstream: Upstream): void {
  expect(upstream.wrong, `requests that ${upstream.host} did not expect`).toEqual([]);
  for (const { name } of upstream.rules.filter(({ isOptional }) => !isOptional))
    expect(upstream.calls(name).length, `${upstream.host}: ${name}`).toBeGreaterThan(0);
}
