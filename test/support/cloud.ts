import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import * as z from 'zod';
import { type Cloud, type CloudOptions, startCloud } from '../../infra/embedded/cloud.ts';
import type { Request } from '../../infra/embedded/iam/decide.ts';
import { type Level, LEVELS } from '../../infra/embedded/isolation/levels.ts';
import type { LogLine } from '../../infra/embedded/lambda/private-process.ts';
import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import { noFaults, randomFaults, type Faults } from '../../infra/embedded/faults.ts';
import { pausedTemplate, templateOfEpoch, templateWithoutHeartbeat } from '../../infra/stage-variables.ts';
import { crashCopy } from './crash-copy.ts';
import { freePort } from './free-port.ts';
import { ensureAdmin } from '../../bin/start-admin-user.ts';
import { TEST_KEY } from './service.ts';
import { shareBuilder } from './shared-builder.ts';

/** A whole cloud in this process, on a free port and in a directory of its own. */
export interface TestCloud {
  readonly cloud: Cloud;
  /** Origin of the API: `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Origin of the ingress. */
  readonly ingress: string;
  readonly base: string;
  readonly key: string;
  readonly dataDir: string;
  readonly logs: LogLine[];
  readonly faults: Faults;
  /** Stops and starts again on the same data, with the same clock. */
  restart(options?: Pick<CloudOptions, 'isPaused'>): Promise<void>;
  /** Starts again on the data that `kill -9` at this moment would leave. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestCloudOptions extends Partial<
  Pick<CloudOptions, 'onConsumed' | 'onQueueRequest' | 'clock' | 'publicUrl' | 'trustedProxies'>
> {
  faults?: Faults;
  assembly?: Assembly;
  /** The isolation level of components; `ISOLATION` names the default. */
  isolation?: Level;
  /** The cloud runs its own builder, as the service does. Default: the one of this process of tests. */
  hasOwnBuilder?: boolean;
  /** Fills the data directory before the first start. */
  fillData?: (dataDir: string) => void;
}

/** Prints the log of functions from this level on. */
const SHOWN_LEVEL = process.env['TEST_LOG'];

/**
 * The stack as the run's setup synthesised it. Its functions log errors only, unless a test or a person reads the log.
 */
export function testAssembly({
  logLevel = SHOWN_LEVEL ?? 'error',
  metricNamespace = '',
  isolation = defaultLevel,
  hasHeartbeat = false,
}: {
  logLevel?: string;
  metricNamespace?: string;
  isolation?: Level | undefined;
  hasHeartbeat?: boolean;
} = {}): Assembly {
  const directory = inject('assembly');
  const variables = new Map([
    ['LOG_LEVEL', logLevel],
    ['METRIC_NAMESPACE', metricNamespace],
  ]);
  const { template, assets, spawner } = JSON.parse(
    readFileSync(join(directory, 'made.json'), 'utf8'),
    (key, value: unknown) => variables.get(key) ?? value,
  ) as { template: unknown; assets: [string, string][]; spawner: string };
  return {
    template: hasHeartbeat ? template : templateWithoutHeartbeat(template),
    assets: new Map(assets.map(([key, folder]) => [key, join(directory, folder)])),
    // Most tests need no isolation: their functions start processes themselves, which is faster.
    ...(isolation === undefined ? {} : { spawner: join(directory, spawner) }),
  };
}

/** `ISOLATION=sandbox npx vitest run …` runs components at that level. */
const defaultLevel = z.enum(LEVELS).optional().parse(process.env['ISOLATION']);

let seed = 1;

/** Chances of each fault: high enough that every kind occurs often in a run of the end-to-end files. */
const FAULT_CHANCES = {
  'stale-read': 0.2,
  'unprocessed-item': 0.05,
  'transaction-conflict': 0.05,
  'other-order': 0.2,
  'repeated-message': 0.05,
  'reordered-message': 0.1,
  'refused-entry': 0.05,
  'mixed-groups': 1,
  'late-schedule': 1,
  'repeated-schedule': 1,
  'other-instance': 0.3,
  'decoded-path': 0.5,
  'base64-body': 0.5,
  'decoded-body': 0.5,
  'gateway-header': 0.5,
  'renamed-header': 0.5,
} as const;

export async function startTestCloud({
  fillData,
  isolation = defaultLevel,
  hasOwnBuilder = false,
  ...options
}: TestCloudOptions = {}): Promise<TestCloud> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-cloud-'));
  let crashes = 0;
  let dataDir = join(folder, String(crashes));
  fillData?.(dataDir);
  const logs: LogLine[] = [];
  const requests = new Map<string, Request>();
  const faults =
    options.faults ?? (inject('faults') === 'injected' ? randomFaults((seed += 1), FAULT_CHANCES) : noFaults);
  const cloudOptions: Omit<CloudOptions, 'dataDir' | 'assembly'> = {
    ...options,
    faults,
    logs(line) {
      logs.push(line);
      if (SHOWN_LEVEL !== undefined) process.stderr.write(`${line.functionName} ${line.text}\n`);
    },
    onAllowed(request, statements) {
      requests.set([request.principal.name, request.action, ...statements].join(' '), request);
    },
  };
  const start = async (ports: Pick<CloudOptions, 'port' | 'ingressPort' | 'isPaused'>) => {
    const made = options.assembly ?? testAssembly({ isolation });
    const epoch = templateOfEpoch(made.template, randomBytes(6).toString('base64url'));
    const assembly = { ...made, template: ports.isPaused ? pausedTemplate(epoch) : epoch };
    const cloud = await startCloud({ ...cloudOptions, assembly, dataDir, isolation, ...ports });
    // A function that is paused, or whose calls have faults, has them in the builder, too.
    if (!hasOwnBuilder && isolation === undefined && faults === noFaults && ports.isPaused !== true)
      shareBuilder(cloud, assembly);
    const { dispatch, outputs } = cloud.open;
    await ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey: TEST_KEY });
    return cloud;
  };
  // A cloud that restarts has the same ports again.
  const ports = { port: await freePort(), ingressPort: await freePort() };
  let cloud = await start(ports);
  const { url: origin, ingressUrl: ingress } = cloud;
  return {
    get cloud() {
      return cloud;
    },
    origin,
    ingress,
    base: `${origin}/v1`,
    key: TEST_KEY,
    get dataDir() {
      return dataDir;
    },
    logs,
    faults,
    async restart(other = {}) {
      await cloud.stop();
      cloud = await start({ ...ports, ...other });
    },
    async crash() {
      const left = join(folder, String((crashes += 1)));
      crashCopy(dataDir, left);
      await cloud.stop({ graceMs: 0 });
      dataDir = left;
      cloud = await start(ports);
    },
    async stop() {
      await cloud.stop();
      const records = inject('records');
      writeFileSync(join(records, 'calls', `${randomUUID()}.json`), JSON.stringify([...requests.values()]));
      writeFileSync(join(records, 'faults', `${randomUUID()}.json`), JSON.stringify(faults.counts));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
