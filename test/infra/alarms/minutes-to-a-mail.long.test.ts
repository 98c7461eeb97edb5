import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { CloudMonitor } from '../../support/cloudwatch/cloud-monitor.ts';
import { minuteNumber } from '../../support/cloudwatch/metric-data.ts';
import { testAssembly } from '../../support/cloud.ts';
import { operator } from '../../support/operator.ts';
import { type Deployed, ECHO, type Hook, Scene } from '../../support/scene.ts';
import { Receiver } from '../../support/receiver.ts';
import { resourcesOf, type Template } from '../../support/stack.ts';
import { travel } from '../../support/travel.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const WITHIN = 5 * MINUTE;
/** The clock starts neither on a whole minute nor on a whole second. */
const START = Date.UTC(2031, 2, 29, 22, 10, 7, 345);

const made = testAssembly({ metricNamespace: 'Tributary/Tributary' });
const alarms = alarmsOf(made.template);
const folder = mkdtempSync(join(tmpdir(), 'tributary-alarms-'));

/** The assembly that is deployed: a test breaks it, and deploys the whole one again. */
let deployed: Pick<Assembly, 'template' | 'assets'> = made;
const assembly: Assembly = {
  ...made,
  get template() {
    return deployed.template;
  },
  get assets() {
    return deployed.assets;
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
  scene = await Scene.open({ clock, assembly, faults });
  monitor = new CloudMonitor(scene.cloud, clock);
  receiver = await Receiver.start();
  source = await scene.source(ECHO);
  webhook = await scene.webhook(receiver);
  await scene.subscribe(source.id, webhook.id);
  await play(1);
});
afterAll(async () => {
  await scene.close();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function deploy(changed: Partial<typeof deployed> = {}): Promise<void> {
  deployed = { ...made, ...changed };
  await scene.cloud.restart();
}

/** The assets with other code of one function. */
function withCode(name: FunctionName, code: string): Partial<typeof deployed> {
  const broken = join(mkdtempSync(join(folder, 'code-')), name);
  mkdirSync(broken);
  writeFileSync(join(broken, 'index.js'), code);
  return {
    assets: new Map([...made.assets].map(([key, path]) => [key, basename(path) === name ? broken : path])),
  };
}

interface Statement {
  Action: string | string[];
}

/** The template without the statements of one role that allow such actions. */
function withoutPermission(role: RegExp, action: RegExp): Partial<typeof deployed> {
  const template = structuredClone(made.template) as Template;
  const [[, { Properties }] = expect.fail('no role')] = resourcesOf(template, 'AWS::IAM::Role').filter(
    ([id]) => role.test(id),
  );
  for (const { PolicyDocument } of Properties['Policies'] as { PolicyDocument: { Statement: Statement[] } }[])
    PolicyDocument.Statement = PolicyDocument.Statement.filter(
      ({ Action }) => ![Action].flat().some((each) => action.test(each)),
    );
  return { template };
}

const countRequest = (api: string, { status }: { status: number }): void => {
  const [found = expect.fail(api)] = scene.cloud.cloud.services.stack
    .ofType('AWS::ApiGatewayV2::Api')
    .filter(({ logicalId }) => logicalId.startsWith(api));
  if (status >= 500) monitor.count('AWS/ApiGateway', '5xx', { ApiId: found.ref });
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
    await pass(MINUTE, 20 * SECOND);
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
  lastsMinutes?: number;
  /** The runbook's commands. */
  repair: () => Promise<void>;
}

const BROKEN = "exports.handler = async () => { throw new Error('broken'); };";
const deployAgain = () => deploy();
const isOf = (name: string) => (call: FaultyCall) => call.caller.startsWith(name);
const endFault = async (): Promise<void> => {
  faultOf = () => undefined;
};
let poller: Deployed;
let poor: { id: string; endpoint: string };

const incidents: Incident[] = [
  {
    fault: 'run-source crashes at load',
    rings: 'FunctionErrors',
    begin: () => deploy(withCode('run-source', "throw new Error('crash at load');")),
    repair: deployAgain,
  },
  {
    fault: 'deliver-event throws',
    rings: 'FunctionErrors',
    begin: () => deploy(withCode('deliver-event', BROKEN)),
    repair: deployAgain,
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
        if (!isRunSource(call) || !/^(?:Put|Update|BatchWrite|TransactWrite)/.test(call.operation))
          return undefined;
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
    repair: deployAgain,
  },
  {
    fault: 'a function of the API fails',
    rings: 'APIErrors',
    begin: () => deploy(withCode('sources', BROKEN)),
    repair: deployAgain,
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
    lastsMinutes: 60,
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

const POLLER = `export default { name: 'Poller', version: '0.0.1', props: { timer: { type: '$.interface.timer' } }, run() {} };`;
const admin = () => operator(scene.cloud);

/** Longest time that an alarm stays after the last bad minute, with what the messages need to come back. */
const QUIET_MINUTES = 50;

describe.sequential('within five minutes rings', () => {
  test.each(incidents)(
    '$rings, when $fault; after the runbook every alarm is quiet',
    async ({ rings, begin, each = work, lastsMinutes = 6, repair }) => {
      expect(ringing()).toEqual([]);
      await begin();
      const began = clock.now();
      await play(lastsMinutes, each);
      expect(timeToRing(rings, began)).toBeLessThanOrEqual(WITHIN);
      expect(ringing()).toContain(rings);
      await repair();
      await play(8, each);
      await pass(QUIET_MINUTES * MINUTE, MINUTE);
      expect(ringing()).toEqual([]);
      expect(undelivered()).toEqual([]);
    },
    60_000,
  );
});
