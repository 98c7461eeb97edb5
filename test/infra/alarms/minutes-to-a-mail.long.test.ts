import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FunctionName } from '../../../infra/bundle.ts';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import type { CallFault, Faults, FaultyCall } from '../../../infra/embedded/faults.ts';
import { noFaults } from '../../../infra/embedded/faults.ts';
import type { Assembly } from '../../../infra/embedded/open-cloud.ts';
import { alarmState } from '../../support/cloudwatch/alarm-state.ts';
import { type Alarm, alarmsOf } from '../../support/cloudwatch/alarms-of.ts';
import { AuthorizationServer } from '../../support/authorization-server.ts';
import { CloudMonitor } from '../../support/cloudwatch/cloud-monitor.ts';
import { minuteNumber } from '../../support/cloudwatch/metric-data.ts';
import { testAssembly } from '../../support/cloud.ts';
import { operator } from '../../support/operator.ts';
import { registerTestClient } from '../../support/register-client.ts';
import { signInAt } from '../../support/sign-in.ts';
import { type Deployed, ECHO, type Hook, Scene } from '../../support/scene.ts';
import { Receiver } from '../../support/receiver.ts';
import { tableIn } from '../../support/doc-table.ts';
import { resourcesOf, type Template } from '../../support/template.ts';
import { travel } from '../../support/travel.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A minute less than docs/operations.md promises. */
const WITHIN = 4 * MINUTE;
/** The clock starts neither on a whole minute nor on a whole second. */
const START = Date.UTC(2031, 2, 29, 22, 10, 7, 345);

const made = testAssembly({ metricNamespace: 'Tributary/Tributary', logLevel: 'warn', hasHeartbeat: true });
const alarms = alarmsOf(made.template);
const folder = mkdtempSync(join(tmpdir(), 'tributary-alarms-'));

/** The function's code fails while this file exists. */
const flagOf = (name: FunctionName) => join(folder, `${name}.broken`);

/** Code that stands before the bundle of a function. */
const FRAGILE: Partial<Record<FunctionName, string>> = {
  'run-source': fails('run-source') + `module.exports = require('./bundle.js');`,
  'deliver-event': failing('deliver-event'),
  sources: failing('sources'),
};
function fails(name: FunctionName): string {
  return `if (require('node:fs').existsSync(${JSON.stringify(flagOf(name))})) throw new Error('broken');\n`;
}
function failing(name: FunctionName): string {
  return `const bundle = require('./bundle.js');
exports.handler = async (...event) => { ${fails(name)} return bundle.handler(...event); };`;
}

const assets = new Map(
  [...made.assets].map(([key, path]) => {
    const name = basename(path);
    const code = FRAGILE[name as FunctionName];
    if (code === undefined) return [key, path];
    const copy = join(folder, name);
    cpSync(path, copy, { recursive: true });
    renameSync(join(copy, 'index.js'), join(copy, 'bundle.js'));
    writeFileSync(join(copy, 'index.js'), code);
    return [key, copy];
  }),
);

/** The template that is deployed: a test breaks it, and deploys the whole one again. */
let template = made.template;
const assembly: Assembly = {
  ...made,
  assets,
  get template() {
    return template;
  },
};
/** The fault of a call, while one is injected. */
let faultOf: (call: FaultyCall) => CallFault | undefined = () => undefined;
const faults: Faults = { ...noFaults, ofCall: (call) => faultOf(call) };

let clock: FakeClock;
let scene: Scene;
let monitor: CloudMonitor;
let receiver: Receiver;
let source: Deployed;
let webhook: Hook;

beforeAll(async () => {
  clock = new FakeClock(START);
  scene = await Scene.open({
    clock,
    assembly,
    faults,
    onQueueRequest: (QueueName, operation, messages) => {
      if (/^SendMessage/.test(operation)) monitor.count('AWS/SQS', 'NumberOfMessagesSent', { QueueName }, messages);
    },
  });
  monitor = new CloudMonitor(scene.cloud, clock);
  receiver = await Receiver.start();
  nowhere = await Receiver.start();
  nowhere.respond = () => ({ status: 404 });
  source = await scene.source(ECHO);
  webhook = await scene.webhook(receiver);
  await scene.subscribe(source.id, webhook.id);
  await play(4);
});
afterAll(async () => {
  await scene.close();
  await receiver.stop();
  await provider?.stop();
  await nowhere.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function deploy(changed = made.template): Promise<void> {
  template = changed;
  await scene.cloud.restart();
}

const breakCode = async (name: FunctionName): Promise<void> => {
  writeFileSync(flagOf(name), '');
};
const mendCode = async (name: FunctionName): Promise<void> => {
  rmSync(flagOf(name));
};

interface Statement {
  Action: string | string[];
}

/** The template without the statements of one role that allow such actions. */
function withoutPermission(role: RegExp, action: RegExp): Template {
  const changed = structuredClone(made.template) as Template;
  const [[, { Properties }] = expect.fail('no role')] = resourcesOf(changed, 'AWS::IAM::Role').filter(([id]) =>
    role.test(id),
  );
  for (const { PolicyDocument } of Properties['Policies'] as { PolicyDocument: { Statement: Statement[] } }[])
    PolicyDocument.Statement = PolicyDocument.Statement.filter(
      ({ Action }) => ![Action].flat().some((each) => action.test(each)),
    );
  return changed;
}

/** The template with another address that the heartbeat calls. */
function withAddress(variable: 'PUBLIC_API_URL' | 'INGRESS_URL', url: string): Template {
  const changed = structuredClone(made.template) as Template;
  for (const [id, { Properties }] of resourcesOf(changed, 'AWS::Lambda::Function'))
    if (id.startsWith('TimersFunction'))
      (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables[variable] = url;
  return changed;
}

const countRequest = (api: string, { status }: { status: number }): void => {
  const [found = expect.fail(api)] = scene.cloud.cloud.services.stack
    .ofType('AWS::ApiGatewayV2::Api')
    .filter(({ logicalId }) => logicalId.startsWith(api));
  const counted = ['Count', ...(status >= 500 ? ['5xx'] : status >= 400 ? ['4xx'] : [])];
  for (const name of counted) monitor.count('AWS/ApiGateway', name, { ApiId: found.ref });
};

/** Times of the events that were acknowledged. */
const acknowledged: number[] = [];

/** The work of a minute: an event, and a look at the API. */
async function work(): Promise<void> {
  const at = clock.now();
  const sent = await scene.send(source.endpoint, { at });
  countRequest('Ingress', sent);
  if (sent.ok) acknowledged.push(at);
  const { base, key } = scene.cloud;
  const read = await fetch(`${base}/sources/${source.id}`, { headers: { authorization: `Bearer ${key}` } });
  countRequest('PublicApi', read);
}

const undelivered = () => {
  const delivered = new Set(receiver.received.map(({ body }) => body));
  return acknowledged.filter((at) => !delivered.has(JSON.stringify({ at })));
};

/** Lets minutes pass, each with some work. */
async function play(minutes: number, each: () => Promise<void> = work): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await each();
    await pass(MINUTE, 30 * SECOND);
  }
}

const pass = (byMs: number, stepMs: number) =>
  travel(clock, { byMs, stepMs, settleMs: 8, isBusy: scene.isBusy }, () => {
    monitor.sample();
    return false;
  });

const named = (name: string): Alarm => alarms.find((alarm) => alarm.name === name) ?? expect.fail(name);
const stateNow = (alarm: Alarm) => alarmState(alarm, monitor.data, minuteNumber(clock.now()));
const ringing = () => alarms.filter((alarm) => stateNow(alarm) === 'ALARM').map(({ name }) => name);

/** Time from `since` to the change to ALARM, ms. */
function timeToRing(name: string, since: number): number {
  for (let minute = minuteNumber(since); minute <= minuteNumber(clock.now()); minute += 1)
    if (alarmState(named(name), monitor.data, minute) === 'ALARM') return minute * MINUTE - since;
  return Infinity;
}

interface Incident {
  fault: string;
  rings: string;
  begin: () => Promise<void>;
  /** The work of each minute, during the fault and after its repair. */
  each?: () => Promise<void>;
  /** It goes on for so many minutes after the alarm rang, without work. */
  goesOnMinutes?: number;
  /** The runbook's commands. */
  repair: () => Promise<void>;
}

const isOf = (name: string) => (call: FaultyCall) => call.caller.startsWith(name);
const endFault = async (): Promise<void> => {
  faultOf = () => undefined;
};
let poller: Deployed;
let poor: { id: string; endpoint: string };
let provider: AuthorizationServer | undefined;
let nowhere: Receiver;
let signedIn: Deployed;

const incidents: Incident[] = [
  {
    fault: 'run-source crashes at load',
    rings: 'FunctionErrors',
    begin: async () => {
      await breakCode('run-source');
      await deploy();
    },
    repair: () => mendCode('run-source'),
  },
  {
    fault: 'deliver-event throws',
    rings: 'FunctionErrors',
    begin: () => breakCode('deliver-event'),
    repair: () => mendCode('deliver-event'),
  },
  {
    fault: 'the queue of triggers cannot be read',
    rings: 'OldestTrigger',
    begin: async () => {
      const isMapping = isOf('RunsFeed');
      faultOf = (call) => (isMapping(call) && call.operation === 'ReceiveMessage' ? 'failed' : undefined);
    },
    repair: endFault,
  },
  {
    fault: 'the table refuses the writes of run-source',
    rings: 'TableThrottles',
    begin: async () => {
      const isRunSource = isOf('RunSource');
      const TableName = scene.cloud.cloud.open.outputs['TableName'] ?? '';
      faultOf = (call) => {
        if (!isRunSource(call) || !/^(?:Put|Update|BatchWrite|TransactWrite)/.test(call.operation)) return undefined;
        monitor.count('AWS/DynamoDB', 'WriteThrottleEvents', { TableName });
        return 'throttled';
      };
    },
    repair: endFault,
  },
  {
    fault: 'KMS refuses to open signing secrets',
    rings: 'OldestDelivery',
    begin: () => deploy(withoutPermission(/^DeliverEventRole/, /^kms:/)),
    repair: () => deploy(),
  },
  {
    fault: 'a function of the API fails',
    rings: 'APIErrors',
    begin: () => breakCode('sources'),
    repair: () => mendCode('sources'),
  },
  {
    fault: "the schedules' role may not send",
    rings: 'ScheduleErrors',
    begin: async () => {
      poller = await scene.source(POLLER, { configured_props: { timer: { interval_seconds: 60 } } });
      await play(2);
      await deploy(withoutPermission(/^SchedulesRole/, /^sqs:/));
    },
    repair: async () => {
      await deploy();
      await scene.api.delete(`/sources/${poller.id}`);
    },
  },
  {
    fault: 'a webhook fails for an hour',
    rings: 'FailedDeliveries',
    begin: async () => {
      receiver.respond = () => ({ status: 503 });
    },
    goesOnMinutes: 54,
    repair: async () => {
      receiver.respond = () => ({ status: 200 });
      await scene.api.post(`/webhooks/${webhook.id}/recover`, {});
    },
  },
  {
    fault: "a user's quota is used up",
    rings: 'FailedRuns',
    begin: async () => {
      const user = await admin()<{ id: string; api_key: string }>('users create', {
        username: 'poor',
        email: 'poor@localhost',
      });
      const api = scene.api.as(user.api_key);
      const { body } = await api.post('/sources', { component_code: ECHO });
      poor = { id: user.id, endpoint: body.data.configured_props.http.endpoint_url };
      await admin()('users set-plan', { user: poor.id, plan: 'free', invocations: '0' });
    },
    each: async () => {
      countRequest('Ingress', await scene.send(poor.endpoint, {}));
    },
    repair: async () => {
      await admin()('users set-plan', { user: poor.id, plan: 'paid' });
    },
  },
  {
    fault: 'endpoints answer 429 to everybody',
    rings: 'EndpointsRefuse',
    begin: async () => {
      await admin()('users set-plan', { user: poor.id, plan: 'free', invocations: '0' });
    },
    each: async () => {
      for (let sent = 0; sent < 12; sent += 1) countRequest('Ingress', await scene.send(poor.endpoint, {}));
    },
    repair: async () => {
      await admin()('users set-plan', { user: poor.id, plan: 'paid' });
    },
  },
  {
    fault: 'the table refuses the reads of run-source',
    rings: 'TableThrottles',
    begin: async () => {
      const isRunSource = isOf('RunSource');
      const TableName = scene.cloud.cloud.open.outputs['TableName'] ?? '';
      faultOf = (call) => {
        if (!isRunSource(call) || !/^(?:Get|BatchGet|Query)/.test(call.operation)) return undefined;
        monitor.count('AWS/DynamoDB', 'ReadThrottleEvents', { TableName });
        return 'throttled';
      };
    },
    repair: endFault,
  },
  {
    fault: 'the queue of retries cannot be read',
    rings: 'Heartbeat',
    begin: async () => {
      const isMapping = isOf('RetriesFeed');
      faultOf = (call) => (isMapping(call) && call.operation === 'ReceiveMessage' ? 'failed' : undefined);
      receiver.respond = () => ({ status: 503 });
    },
    repair: async () => {
      receiver.respond = () => ({ status: 200 });
      await endFault();
    },
  },
  {
    fault: 'the queue of jobs cannot be read',
    rings: 'Heartbeat',
    begin: async () => {
      poller = await scene.source(POLLER, { configured_props: { timer: { interval_seconds: 45 } } });
      const isMapping = isOf('TimersFeed');
      faultOf = (call) => (isMapping(call) && call.operation === 'ReceiveMessage' ? 'failed' : undefined);
    },
    repair: async () => {
      await endFault();
      await scene.api.delete(`/sources/${poller.id}`);
    },
  },
  {
    fault: 'the service is left paused',
    rings: 'Heartbeat',
    begin: async () => {
      await admin()('pause', {});
    },
    repair: async () => {
      await admin()('resume', {});
    },
  },
  {
    fault: 'the name of the API does not resolve',
    rings: 'Heartbeat',
    begin: () => deploy(withAddress('PUBLIC_API_URL', 'https://api.tributary.invalid')),
    repair: () => deploy(),
  },
  {
    fault: 'TLS with the endpoints fails',
    rings: 'Heartbeat',
    begin: () => deploy(withAddress('INGRESS_URL', scene.cloud.ingress.replace('http:', 'https:'))),
    repair: () => deploy(),
  },
  {
    fault: 'the domain of the API leads nowhere',
    rings: 'Heartbeat',
    begin: () => deploy(withAddress('PUBLIC_API_URL', nowhere.url)),
    repair: () => deploy(),
  },
  {
    fault: 'a provider refuses to renew accounts',
    rings: 'FailedRenewals',
    begin: async () => {
      provider = await AuthorizationServer.start();
      await registerTestClient(scene.cloud, { settings: { ...provider.settings, scopes: ['read'] } });
      provider.expiresIn = 30;
      const account = await signInAt(provider, scene.api, { app: 'acme' });
      signedIn = await scene.source(SIGNED_IN, { configured_props: { app: { authProvisionId: account } } });
      await play(1);
      provider.response = () => ({ status: 400, body: { error: 'temporarily_unavailable' } });
    },
    each: async () => {
      countRequest('Ingress', await scene.send(signedIn.endpoint, {}));
    },
    repair: async () => {
      if (provider) provider.response = undefined;
    },
  },
  {
    fault: 'the runner is out of concurrency',
    rings: 'FunctionThrottles',
    begin: async () => {
      const isRunSource = isOf('RunSource');
      faultOf = (call) => {
        if (!isRunSource(call) || call.service !== 'Lambda') return undefined;
        monitor.count('AWS/Lambda', 'Throttles');
        return 'throttled';
      };
    },
    repair: endFault,
  },
];

const SIGNED_IN = `export default { name: 'Signed in', version: '0.0.1', props: { app: { type: 'app', app: 'acme' }, http: '$.interface.http' }, run() { this.app.$auth; } };`;
const POLLER = `export default { name: 'Poller', version: '0.0.1', props: { timer: { type: '$.interface.timer' } }, run() {} };`;
const admin = () => operator(scene.cloud);

/** Longest time that an alarm stays after the last bad minute, with what the messages need to come back. */
const QUIET_MINUTES = 50;

const rows = tableIn('docs/operations.md', 'Faults that were tried');
/** Fault → minutes, as the page says. */
const tried = new Map(rows.map(([, fault = '', within = '']) => [fault, Number(within.replace(' min', ''))]));

test('docs/operations.md has a row for each fault, with its alarm', () => {
  expect(rows.map(([alarm, fault]) => [alarm, fault])).toEqual(
    incidents.map(({ fault, rings }) => [`\`${rings}\``, fault]),
  );
});

describe.sequential('within five minutes rings', () => {
  test.each(incidents)(
    '$rings, when $fault; after the runbook every alarm is quiet',
    async ({ fault, rings, begin, each = work, goesOnMinutes = 0, repair }) => {
      expect(ringing()).toEqual([]);
      await begin();
      const began = clock.now();
      await play(6, each);
      const rang = timeToRing(rings, began);
      expect(rang).toBeLessThanOrEqual(WITHIN);
      expect.soft(Math.ceil(rang / MINUTE), fault).toBeLessThanOrEqual(tried.get(fault) ?? 0);
      await pass(goesOnMinutes * MINUTE, 30 * SECOND);
      expect(ringing()).toContain(rings);
      await repair();
      await play(7, each);
      await pass(QUIET_MINUTES * MINUTE, MINUTE);
      expect(ringing()).toEqual([]);
      expect(undelivered()).toEqual([]);
    },
  );
});
