import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

/** Identifiers that a standard term replaced, in the folders within which they have that meaning. */
interface Replaced {
  words: RegExp;
  within?: readonly string[];
  /** Files in which the word is a stored name, a name of the wire or the English word. */
  except?: readonly string[];
}

/** The standard terms, each with the identifiers that it replaced. */
const IDENTIFIERS: Readonly<Record<string, RegExp | Replaced>> = {
  'endpoint, OpenEndpoint, endpointResolver': /\b[dD]oor\w*|[a-z]Doors?(?![a-z])|\bDOORS?\b/,
  'behind, backlog': /\b(?:shut|isShut|shutForMs|shutUntil|SHUT_\w+)\b/,
  // `overloaded` is the error code of too many runs at once.
  lagging: /\b(?:isOverloaded|overloaded[A-Z]\w*|OVERLOADED_\w+)\b/,
  'synchronous run': /\b(?:beside\w*|isBeside|runBeside|Beside\w*)\b/,
  KeyedMutex: /\b(?:Turns?|turns)\b/,
  // Stored items and queue messages keep the names of the first data format: earlier data opens.
  messageNumber: {
    words: /\bturn\b/,
    except: [
      'docs/data-model.md',
      'shared/domain/run/message.ts',
      'shared/service/delivery/send-next.ts',
      'shared/service/retries/retry.ts',
      'shared/store/deliveries/delivery-updates.ts',
      'shared/store/deliveries/delivery-item.ts',
      'test/programs/recorded/sample-messages.ts',
      'test/unit/regressions/data-format.test.ts',
      'test/unit/shared/aws/queues.test.ts',
      'test/unit/shared/service/delivery/overlapping-attempts.test.ts',
      'test/unit/shared/service/fan-out/fan-out.test.ts',
      'test/unit/shared/service/fan-out/first-attempts.test.ts',
      'test/unit/shared/service/schedules/reconcile.test.ts',
    ],
  },
  // Stored attributes keep the names `place` and `places` of the first data format.
  'permit, list, path, position': {
    words: /\b(?:[pP]laces?|PLACES?|\w+Places?(?:[A-Z]\w*)?|places?[A-Z]\w*)\b/,
    except: ['shared/store/deliveries/delivery-item.ts', 'shared/store/emitters/run-permits.ts'],
  },
  'attemptCount, scheduleStep, chunk': {
    words: /\b(?:made|[sS]teps?|[pP]arts?)\b/,
    within: [
      'shared/domain/delivery/',
      'shared/domain/webhook/',
      'shared/service/delivery/',
      'shared/service/fan-out/',
      'shared/service/retries/',
      'shared/service/webhooks/',
      'shared/store/',
      'shared/aws/response',
    ],
    except: [
      'shared/service/retries/recover.ts',
      'shared/service/webhooks/start-recovery.ts',
      'shared/store/deliveries/delivery-updates.ts',
      'shared/store/deliveries/delivery-item.ts',
      'shared/store/deliveries/recoveries.ts',
      'shared/store/table/keys.ts',
    ],
  },
  // `answer` of an attempt is a field of the API and of stored items, and `--answer` an option of the operator. The
  // verb remains, and participles such as `answered`.
  response: {
    words:
      /\b(?:_?answers?(?! (?:with|within|\$|\\\()| \$)|answers?[A-Z]\w*|\w*Answers?(?:[A-Z]\w*)?|(?:[A-Z_]+_)?ANSWERS?(?:_\w+)?)\b/,
    except: [
      'bin/admin/commands/oauth-client-commands.ts',
      'bin/admin/doctor/checks/mirror-request.ts',
      'bin/admin/doctor/doctor-component.ts',
      'bin/tributary/commands/redeliver-command.ts',
      'bin/tributary/commands/webhook-actions.ts',
      'bin/tributary/output/delivery-columns.ts',
      'bin/tributary/session/api.ts',
      'bin/tributary/session/response-schemas.ts',
      'docs/changelog.md',
      'docs/operations.md',
      'docs/providers.md',
      'functions/console/app/pages/webhooks/delivery/attempt-detail.tsx',
      'functions/console/app/pages/webhooks/delivery/response-diff.tsx',
      'functions/console/app/pages/webhooks/test-outcome.tsx',
      'shared/aws/deliver-http.ts',
      'shared/aws/http-attempt.ts',
      'shared/aws/targets/deliver-to-target.ts',
      'shared/aws/oauth/client-fetch.ts',
      'shared/domain/delivery/delivery.ts',
      'shared/domain/oauth/oauth-client.ts',
      'shared/domain/oauth/provider.ts',
      'shared/domain/oauth/resolve-client.ts',
      'shared/http/openapi/examples.ts',
      'shared/http/show/show-webhook.ts',
      'shared/http/webhook-responses.ts',
      'shared/service/delivery/send-attempt.ts',
      'test/api/private-network.test.ts',
      'test/e2e/delivery-log.long.test.ts',
      'test/e2e/delivery-steering.long.test.ts',
      'test/e2e/renewed-accounts.test.ts',
      'test/regressions/cut-texts.test.ts',
      'test/unit/regressions/receivers-responses.test.ts',
      'test/unit/shared/aws/deliver-http.test.ts',
      'test/unit/shared/aws/oauth/provider-requests.test.ts',
    ],
  },
  // Stored items and queue messages keep the names `flight` and `flights`, and OpenAPI its `ConnectAttempt`.
  'SignIn, Authorization': {
    words:
      /\b(?:flights?|[a-z]\w*Flights?|Flights?|OfFlight|connectAttempt\w*|\w*ConnectAttempt\w*)\b(?<!\b(?:inFlight|preflight))/,
    except: [
      'docs/operations.md',
      'functions/api/accounts.ts',
      'shared/domain/oauth/sign-in.ts',
      'shared/http/openapi/named-schemas.ts',
      'shared/http/rights.ts',
      'shared/http/routes/connect-routes.ts',
      'shared/service/connecting/begin-authorization.ts',
      'shared/service/connecting/confirm-authorization.ts',
      'shared/service/connecting/create-sign-in.ts',
      'shared/service/oauth/store-sign-in.ts',
      'test/api/properties.long.slow.test.ts',
      'test/unit/shared/service/oauth/store-sign-in.test.ts',
    ],
  },
  // `open` is left to files, sockets, breakers, dialogs and addresses.
  'decrypt, create, begin':
    /\bvault\.(?:open|seal)\b|\b(?:create)?[oO]pen(?:Client|Provider|Target|Text|Flight)\b|\bsealText\b/,
  customHeaders: /\b(?:sealed)?[oO]wnHeaders?\b/,
  // The queue keeps its name `timers` where deployed stacks and operators know it.
  jobs: /\b(?:TimerMessage\w*|DelayedTimer|sendTimers|createTimer(?:Sender|Forwarder)|timersQueueArn)\b/,
  'installed sets': /\b(?:sweepTrees|treesDirectory|MAX_TREES|installedTrees)\b/,
  'allDeliveries, waitingAndHeld': /\b[dD]eliveryLists?\b/,
  TtlCache: /\bRecent\b/,
  'delayed emit': /\b(?:holdingOf|Holdings?|isWanted|Wanted)\b/,
  'started, markSilent': /\b(?:begun|isBegun)\b/,
  'process reaper, resource monitor': /\b\w*[gG]uardian\w*/,
  'redaction, Redactor, known public values': /\b(?:[sS]ecrecy|hiding|[sS]pellings?|hasSaid|isQuotaTold)\b/,
  'Faults, inject': /\b(?:weather|\w*roughWeather|strikes?)\b/,
  'effectiveSource, isPassThrough, planFor': /\b(?:inForce|passesOn|stepOf|stillborn)\b/,
  'schedule runner': /\b[cC]lockwork\b/,
  'RequiredPermission, requiredPermissions': /\b[dD]emands?\b/,
  '…Options, …Context, …Input': /\b(?:\w*[sS]urroundings|[gG]iven|[bB]elonging|Around|Asked|Kept)\b/,
  untrusted: /\b(?:hostile\w*|HOSTILE|isHostile)\b/,
  'executeRuns, completed': /\b(?:carryOut|carriedOut)\w*/,
  'decideRetry, RetryDecision, newDelivery': /\b(?:judge[sd]?|verdicts?|rowOf)\b/,
  // `figure` is also an element of HTML.
  'limits, sizing, measurements': /(?<!<\/?)\b[fF]igures?\b/,
  'UsageError, CommandError, …Error': /\b(?:Wrong[A-Z]\w*|CannotDo)\b/,
  'MAX_…': /\bMOST_\w+|\b\w+_AT_(?:MOST|ONCE)\b/,
};

const FILE_NAMES =
  /^(?:.*-)?(?:beside|carry-out|clockwork|doors?|figures|flights?|given|guardian|hiding|hostile|judge|overload|own-headers|places?|secrecy|shapes|spellings?|surroundings|trees|turns|waiting-emits|verdicts?|weather)(?:[.-].*)?$/;

/** A pronoun or a preposition at the beginning of a sentence, in the place of its subject. */
const OPENERS =
  /(?:^|[.:;] )(?:What|Of|Who|Whoever|Whom|Whose|Which|Where|Else|Nobody|Whatever|Wherever|One (?:that|who|which|of|is|was))\b/;

const files = ['bin', 'docs', 'functions', 'infra', 'shared', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(folder, path)),
);
const lines = files
  .filter((path) => /\.(?:[cm]?tsx?|md)$/.test(path) && path !== 'test/unit/words.test.ts')
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((text, index) => ({ path, text, location: `${path}:${index + 1}` })),
  );

const isComment = (text: string): boolean => /^\s*(?:\/\*|\*|\/\/)/.test(text);
const comments = lines.filter(({ path, text }) => !path.endsWith('.md') && isComment(text));
/** Lines of code without quoted texts, and the code spans of the docs. */
const code = lines
  .filter(({ path, text }) => path.endsWith('.md') || !isComment(text))
  .map(({ path, text, location }) => ({
    path,
    location,
    text: path.endsWith('.md')
      ? (text.match(/`[^`]+`/g) ?? []).join(' ')
      : text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''").replace(/\s\/\/ .*$/, ''),
  }));

describe('identifiers use the standard terms', () => {
  test.each(Object.entries(IDENTIFIERS))('%s', (term, replaced) => {
    const { words, within, except = [] }: Replaced = replaced instanceof RegExp ? { words: replaced } : replaced;
    const found = code.flatMap(({ path, text, location }) => {
      if (within?.some((folder) => path.startsWith(folder)) === false) return [];
      const word = words.exec(text)?.[0];
      return word === undefined ? [] : [{ path, text: `${location}: ${word} → ${term}` }];
    });
    expect(found.filter(({ path }) => !except.includes(path)).map(({ text }) => text)).toEqual([]);
    expect(
      except.filter((file) => !found.some(({ path }) => path === file)),
      'no such word there',
    ).toEqual([]);
  });
});

test('file names use the standard terms', () => {
  expect(files.filter((path) => FILE_NAMES.test(basename(path)))).toEqual([]);
});

test('comments begin with their subject', () => {
  const found = comments
    .filter(({ text }) => OPENERS.test(text.replace(/^\s*(?:\/\*\*?|\*|\/\/)\s*/, '')))
    .map(({ text, location }) => `${location}: ${text.trim()}`);
  expect(found).toEqual([]);
});

test('a comment is as wide as the code', () => {
  const { printWidth } = z.object({ printWidth: z.number() }).parse(JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')));
  // A row of a table, a link and an example stay on their line.
  const found = comments
    .filter(({ text }) => text.length > printWidth && !/^\s*\*(?: \||\s+https:| {4,})/.test(text))
    .map(({ location, text }) => `${location}: ${text.length}`);
  expect(found).toEqual([]);
});

test('sentences of the docs begin with their subject', () => {
  const QUESTION = /\b(?:What|Which|Where|Who)\b[^.?]*\?/g;
  const LIST_MARK = /^[\s|>-]*(?:\d+\. )?/;
  const found = lines
    .filter(({ path, text }) => path.endsWith('.md') && !text.startsWith('#'))
    .filter(({ text }) => OPENERS.test(text.replace(QUESTION, '').replace(LIST_MARK, '')))
    .map(({ text, location }) => `${location}: ${text.trim()}`);
  expect(found).toEqual([]);
});

test('messages have words, and no identifiers of the code', () => {
  const QUOTED = /'([^'\\]*)'|`([^`\\]*)`|"([^"\\]*)"/g;
  const IDENTIFIER = /(?:^|[a-z,] )[a-z]{2,} [a-z]+[A-Z]\w* [a-z]{2,} [a-z]+/;
  /** They name settings of a stage, and functions of Node. */
  const except = [
    'bin/admin/doctor/checks/stack-checks.ts',
    'functions/runner/child/child-directory.ts',
    'infra/stage-relations.ts',
  ];
  const found = lines
    .filter(
      ({ path, text }) => /^(?:bin|functions|infra|shared)\//.test(path) && !path.endsWith('.md') && !isComment(text),
    )
    .filter(({ text }) =>
      [...text.matchAll(QUOTED)].some((quoted) =>
        IDENTIFIER.test((quoted[1] ?? quoted[2] ?? quoted[3] ?? '').replaceAll(/\$\{[^}]*\}/g, 'X')),
      ),
    );
  expect(found.filter(({ path }) => !except.includes(path)).map(({ location }) => location)).toEqual([]);
  expect(
    except.filter((file) => !found.some(({ path }) => path === file)),
    'no such message there',
  ).toEqual([]);
});

test('names of tests begin with their subject', () => {
  const RIDDLE =
    /\b(?:test|it|describe)[\w.]*(?:\(.*\))?\(['"`](?:what|who|whoever|whom|nobody|whatever|one (?:that|who|which))\b/;
  const found = lines
    .filter(({ text }) => RIDDLE.test(text))
    .map(({ text, location }) => `${location}: ${text.trim()}`);
  expect(found).toEqual([]);
});

test('admission decides on quota and backlog; the check of a key is authentication', () => {
  const users = ['docs/', 'shared/service/', 'shared/http/ingress/', 'shared/lambda/', 'test/'];
  const found = code.filter(
    ({ path, text }) => /[aA]dmission/.test(text) && !users.some((folder) => path.startsWith(folder)),
  );
  expect(found).toEqual([]);
});

test('comments and test names point at pages of this repository only', () => {
  const outside = /\b(?:design|decisions|interface|house|style)\.md\b|\b[iI]ssue \d/;
  const found = lines
    .filter(({ path, text }) => !path.endsWith('.md') && outside.test(text))
    .map(({ text, location }) => `${location}: ${text.trim()}`);
  expect(found).toEqual([]);
});
