import { MAX_SOCKETS } from '../../../shared/aws/delivery-agent.ts';
import { LARGEST_EMITTED_BYTES } from '../../../shared/domain/event/emitted-bytes.ts';
import { RUNNER_MEMORY_MB } from '../../../shared/domain/runner/runner-memory.ts';
import { Stage } from '../../../infra/stage.ts';
import type { Template } from '../../support/template.ts';
import { installations, unitsOfInstallation } from './installations.ts';
import {
  billedMs,
  environmentsPerMonth,
  type FunctionOfEvent,
  logsOfEvent,
  memoryMb,
  pricePerMillion,
  unitsOfAccount,
  unitsOfEnvironment,
  unitsOfEvent,
  unitsOfHeartbeat,
  unitsOfIdle,
  unitsOfIdleAccount,
  unitsOfMetrics,
  unitsOfPolling,
  unitsOfWaiting,
  vcpus,
  work,
} from './model.ts';
import { dollars, dollarsOf, prices, AS_OF, type Service, services, sum, times, type Units } from './prices.ts';
import type { Recorded } from './recorded.ts';
import { settings } from './settings.ts';

/** The part of docs/costs.md that is made from counts, prices and the template. */

const usd = (value: number): string =>
  value >= 0.005 || value === 0 ? `$${value.toFixed(2)}` : `$${value.toPrecision(2)}`;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const section = (title: string, ...paragraphs: readonly string[]): string =>
  [`## ${title}`, ...paragraphs].join('\n\n');

const used = (units: readonly Units[]): Service[] =>
  services.filter((service) => units.some((each) => dollarsOf(service, each) > 0));

const BATCHES = { full: 'ten', one: 'one' };
const BODIES = {
  order: 'an order of 160 bytes',
  invoice: 'an invoice of 320 bytes',
  random: '1,000 random bytes',
  document: 'a document of 100 KB',
  file: 'a file of 300 KB',
};

function events({ events: counts }: Recorded): string {
  const rows = counts.map((each) => {
    const { webhooks, batches, body, writeUnits, readUnits, sqsRequests } = each;
    const budget = settings.find((one) => one.webhooks === webhooks && one.batches === batches && one.body === body);
    const units = times(1e6, unitsOfEvent(each));
    return [
      `${BODIES[body]} to ${webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`}, batches of ${BATCHES[batches]}`,
      String(writeUnits),
      String(readUnits),
      String(sqsRequests),
      ...(['DynamoDB', 'SQS', 'S3', 'Lambda', 'API Gateway'] as const).map((service) => usd(dollarsOf(service, units))),
      `**${usd(pricePerMillion(each))}**`,
      `$${budget?.price ?? 0}`,
      usd(dollars(sum(units, times(1e6, logsOfEvent(unitsOfEvent(each)))))),
    ];
  });
  return section(
    'A million events',
    'HTTP in → user code → stored → delivered. The first columns are counted per event, the others are US dollars per million. Full batches come with load, and their events share an item of the table; at low traffic each event is a batch of its own. Ids, amounts and people of orders and invoices differ, as those that services send. Deliveries that fail cost more: each further attempt is an SQS message and a write. SQS bills each 64 KB of a request. A body above 1 KB has an item of its own, and one above 200 KB is an object of S3. Logs are those at `info`: `logLevel` saves them. Data transfer is not included: $0.09 per GB, $9 for a million documents of 100 KB.',
    'A full batch of ten orders to one webhook uses a write unit for each of five items: the state of the source, its new events, the deletion of as many old ones, the usage of its owner, and the log of the deliveries. Records of runs, request rates and metrics add half a unit. These five are the least that keeps the promises: usage that waited in memory would be lost with its instance, and an event that expires by itself could be one of the last 100. Ten invoices take more than 1 KB, so that events and deletion use two units each.',
    tableOf(
      [
        'event',
        'write units',
        'read units',
        'SQS requests',
        'DynamoDB',
        'SQS',
        'S3',
        'Lambda',
        'API',
        'together',
        'budget',
        'with logs',
      ],
      rows,
    ),
  );
}

function waiting({ waiting: counts }: Recorded): string {
  const each = dollars(unitsOfWaiting(counts));
  return section(
    'Triggers that wait',
    `A trigger of a source that is behind waits in a [backlog](stages.md#a-source-that-is-behind). Counted with an order of 160 bytes, in full batches: it uses ${counts.writeUnits} write units and ${counts.readUnits} read units more than a trigger that runs at once. One write unit stores its item and one removes it, and each batch counts what it moved or executed. An item above 1 KB uses a write unit for each further KB twice, and a payload above 4 KB is an object of the bucket instead. With the invocations that move ten at a time, a million that wait cost ${usd(1e6 * each)} more, and a full backlog of 100,000 ${usd(1e5 * each)}.`,
  );
}

const POLLED_EVERY = [
  { everySeconds: 60, name: 'every minute' },
  { everySeconds: 300, name: 'every 5 minutes' },
  { everySeconds: 900, name: 'every 15 minutes' },
  { everySeconds: 3_600, name: 'every hour' },
];

function polling({ poll }: Recorded): string {
  const rows = POLLED_EVERY.map(({ everySeconds, name }) => ({
    name,
    units: unitsOfPolling(poll, { everySeconds, runMs: 3_000 }),
  }));
  const columns = used(rows.map(({ units }) => units));
  const gb = (memoryMb.runner + memoryMb['run-source']) / 1_024;
  return section(
    'Polling',
    `A source that runs for 3 s and finds nothing, for a month. The runner waits for the upstream with ${memoryMb.runner} MB, and run-source for the runner with ${memoryMb['run-source']} MB: ${gb} GB for each second of a run. A poll uses ${poll.writeUnits} write units, ${poll.readUnits} read units and ${poll.sqsRequests} SQS requests; two of the write units count the run among its owner's concurrent runs, and one counts it in the source's metrics.`,
    tableOf(
      ['a run of 3 s', ...columns, 'a month'],
      rows.map(({ name, units }) => [
        name,
        ...columns.map((service) => usd(dollarsOf(service, units))),
        `**${usd(dollars(units))}**`,
      ]),
    ),
  );
}

function idle(template: Template): string {
  const units = unitsOfIdle(template);
  const {
    keyMonth = 0,
    alarmMonth = 0,
    standardRequest = 0,
    fifoRequest = 0,
  } = sum(units, times(-1, unitsOfHeartbeat));
  return section(
    'Idle',
    `A stack without sources, for a month. Functions, the table, schedules, the APIs and budgets cost nothing while only the heartbeat uses them; stored data costs $0.25 (table), $0.20 (its point-in-time recovery) and $0.023 (bucket) per GB. A deleted object of the bucket stays for 30 days more: a million trimmed events of 1 MB keep 1 TB for a month, $23. The hourly message that has metrics added up costs $0.002. The dashboard is free while it is one of the account's first three. Metrics of the stage cost $0.30 each in a month with values: failed runs, failed deliveries and the lag of deliveries together ${usd(dollars(unitsOfMetrics))}, the two of renewals of accounts and failures of functions as much each.`,
    tableOf(
      ['what', 'a month'],
      [
        [`${keyMonth} key of KMS`, usd(dollarsOf('KMS', units))],
        [`${alarmMonth} metrics of alarms`, usd(dollars({ alarmMonth }))],
        [
          `${whole(standardRequest + fifoRequest)} empty receives: Lambda polls each queue with five connections, each for 20 s at a time`,
          usd(dollars({ standardRequest, fifoRequest })),
        ],
        [
          '43,800 heartbeats: a schedule, messages through two queues, a request to each API, and the functions of all',
          usd(dollars(unitsOfHeartbeat)),
        ],
        ['together', `**${usd(dollars(units))}**`],
      ],
    ),
  );
}

function environments(): string {
  const rows = [
    { name: 'in use around the clock', everySeconds: 60 },
    { name: 'used every 15 minutes', everySeconds: 900 },
    { name: 'used every hour', everySeconds: 3_600 },
    { name: 'used once a day', everySeconds: 86_400 },
  ].map(({ name, everySeconds }) => {
    const count = environmentsPerMonth(everySeconds);
    return [name, whole(count), usd(dollars(times(count, unitsOfEnvironment)))];
  });
  return section(
    'Tenant environments',
    `The runner and the builder are isolated by tenant: a user, or a source with a connected account. Lambda bills each new environment of a tenant by its memory: ${usd(dollars({ environmentGb: 1 }))} per GB, so ${usd(dollars(unitsOfEnvironment))} for one of the runner with the second that it takes to start. Waiting environments cost nothing. Assumed: Lambda ends an environment after ten idle minutes, and replaces one in use after two hours. The stage's \`isolation: "user"\` gives all sources of a user the same environments.`,
    tableOf(['a tenant that is', 'new environments a month', 'a month'], rows),
  );
}

function accounts({ account }: Recorded): string {
  const counted = [
    ['a run whose token is valid', account.run],
    ['a renewal, besides', account.renewal],
    ['the daily check of an account', account.check],
  ] as const;
  const months = [
    ...[POLLED_EVERY[0], POLLED_EVERY[1], POLLED_EVERY[3]].flatMap((each) =>
      each ? [{ name: `polled ${each.name}`, units: unitsOfAccount(account, each.everySeconds) }] : [],
    ),
    { name: 'not used', units: unitsOfIdleAccount(account) },
  ];
  const columns = used(months.map(({ units }) => units));
  return section(
    'Accounts that are renewed',
    'An account of kind `oauth` adds these to a source without an account. Counted with short tokens: a renewal writes the account twice, so each KB of its tokens adds two write units. Decrypted fields stay in memory for five minutes, so `run-source` asks KMS once in that time at most, and so does the secret of the client: a renewal that comes alone uses one more request to KMS, which the months below include.',
    tableOf(
      ['counted', 'write units', 'read units', 'KMS requests', 'invocations of `oauth`', 'token requests'],
      counted.map(([name, each]) => [
        name,
        ...[each.writeUnits, each.readUnits, each.keyRequests, each.invocations, each.tokenRequests].map(String),
      ]),
    ),
    'A month of one account whose token lives for an hour, so of at most 730 renewals. The daily job renews an account that nothing used for a week. Assumed: a renewal takes 10 ms of a vCPU and half a second of its provider, and the function that needs the token waits for it.',
    tableOf(
      ['an account', ...columns, 'a month'],
      months.map(({ name, units }) => [
        name,
        ...columns.map((service) => usd(dollarsOf(service, units))),
        `**${usd(dollars(units))}**`,
      ]),
    ),
  );
}

function examples(recorded: Recorded, template: Template): string {
  const rows = installations.map((installation) => ({
    name: installation.name,
    units: sum(unitsOfInstallation(recorded, installation), unitsOfIdle(template)),
  }));
  const columns = used(rows.map(({ units }) => units));
  return section(
    'Three installations',
    'A month, idle costs included. Each event goes to one webhook. AWS gives every account 400,000 GB-seconds and 1 M invocations of Lambda, 1 M requests of SQS, 14 M invocations of EventBridge Scheduler, 10 alarms, 5 GB of logs and 100 GB of transfer for nothing each month, which is not subtracted here: the first installation then costs little more than its key.',
    tableOf(
      ['installation', ...columns, 'a month'],
      rows.map(({ name, units }) => [
        name,
        ...columns.map((service) => usd(dollarsOf(service, units))),
        `**${usd(dollars(units))}**`,
      ]),
    ),
  );
}

const { host, base, spare, warm } = RUNNER_MEMORY_MB;
const { limits, warmRunners } = Stage.parse({});

const BUYS: Readonly<Record<FunctionOfEvent, string>> = {
  ingress:
    'Node and the bundle (110 MB), a request of 6 MB and its copies; processor time for the wait that a sender sees',
  'run-source': `Node and the bundle (110 MB), a batch of 6 MB and its copies, and what ten runs emit (${LARGEST_EMITTED_BYTES / 2 ** 20} MB each) until it is stored`,
  runner: `the host (${host} MB), the run with Node (${limits.runMemoryMb} + ${base} MB), a process started in advance (${spare} MB) and ${warmRunners} warm ones (${warm} MB each)`,
  'deliver-event': `Node and the bundle (110 MB), ten events of 1 MB and their copies, and ${MAX_SOCKETS} sockets with TLS`,
};

function memory(): string {
  const rows = (Object.keys(memoryMb) as FunctionOfEvent[]).map((name) => {
    const { cpuMs, cpuMsPerMessage, waitMs } = work[name];
    return [
      `\`${name}\``,
      `${memoryMb[name]} MB`,
      vcpus(name).toFixed(2),
      BUYS[name],
      `${cpuMs} + ${cpuMsPerMessage} per message`,
      `${waitMs}`,
      name === 'ingress' ? whole(billedMs(name, 1)) : `${whole(billedMs(name, 1))} / ${whole(billedMs(name, 10))}`,
    ];
  });
  return section(
    'Memory',
    'Lambda bills the time of an invocation by its memory, whether it computes or waits, and gives it processor time by its memory, too. These functions wait for most of their time, so each has the memory that its largest batch needs, and no more. Work that computes costs the same with more memory, and ends sooner. All functions run on arm64.',
    tableOf(
      ['function', 'memory', 'vCPU', 'for', 'ms of a vCPU', 'ms of waiting', 'billed ms for one / ten messages'],
      rows,
    ),
    'Times are assumed, because this machine cannot count them; a run takes as long as its component.',
  );
}

function quotas({ events: counts }: Recorded): string {
  const slow = counts.find(({ webhooks, batches }) => webhooks === 1 && batches === 'one');
  const perRun = slow ? dollars(unitsOfEvent(slow)) : 0;
  const seconds = limits.freeComputeMs / 1_000;
  const gb = (memoryMb.runner + memoryMb['run-source']) / 1_024;
  const [runs, time] = [limits.freeInvocations * perRun, dollars({ gbSecond: seconds * gb })];
  return section(
    'Quotas',
    `The default quotas of a stage bound the bill when code of a user runs away, for example in a loop of sources: a user of the plan \`free\` has ${whole(limits.freeInvocations)} runs and ${whole(limits.freeComputeMs)} ms of compute time (${whole(seconds / 3_600)} hours) per UTC day. The runs cost at most ${usd(runs)}, the time ${usd(time)}: one user costs at most about ${usd(runs + time)} a day. A source that receives ten events per second for a whole day stays below the quota.`,
    'Beyond the quota, and for a source that used a quarter itself beyond three quarters of it ([shares](isolation.md#shares-of-a-users-limit)), endpoints answer 429 with `Retry-After`, ticks and events of other emitters are skipped, and `$errors` says so once a day. Accepted triggers still run, so usage can exceed the quota by what waits in the queue. `limits.freeInvocations` and `limits.freeComputeMs` change the quotas of a stage, `users set-plan` those of one user. Users of the plan `paid` have no quota.',
  );
}

function priceList(): string {
  const rows = Object.values(prices).map(({ usd: amount, what, page }) => [
    what,
    `$${amount}`,
    `[${new URL(page).pathname.replaceAll('/', ' ').trim()}](${page})`,
  ]);
  return section(
    'Prices',
    `\`us-east-1\`, as of ${AS_OF}, without free tiers and taxes; entered by hand from the pages named here.`,
    tableOf(['what', 'price', 'page'], rows),
  );
}

const BEGIN = '<!-- costs: begin; `npm run cost-tables` writes them -->';
const END = '<!-- costs: end -->';
export const PAGE = 'docs/costs.md';

/** The page with what the counts, the prices and the template say between its marks. */
export function withTables(page: string, recorded: Recorded, template: Template): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('The page has no marks for the tables.');
  const sections = [
    events(recorded),
    polling(recorded),
    waiting(recorded),
    idle(template),
    environments(),
    accounts(recorded),
    examples(recorded, template),
    quotas(recorded),
    memory(),
    priceList(),
  ].join('\n\n');
  return `${before}${BEGIN}\n<!-- oxfmt-ignore-start -->\n\n${sections}\n\n<!-- oxfmt-ignore-end -->\n${END}${after}`;
}
