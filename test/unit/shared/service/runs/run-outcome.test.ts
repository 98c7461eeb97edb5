import { expect, test } from 'vitest';
import { NOTHING_REMEMBERED } from '../../../../../shared/domain/event/dedupe.ts';
import type { RunError } from '../../../../../shared/domain/run/run.ts';
import { errorContextOf } from '../../../../../shared/service/runs/error-context.ts';
import type { JobResult } from '../../../../../shared/service/runs/job-result.ts';
import { outcomeOf } from '../../../../../shared/service/runs/run-outcome.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';

const source = { id: SourceId.parse('dc_12345'), ownerId: UserId.parse('u_1234567') };
const error = (message: string): RunError => ({ code: 'Error', name: 'Error', message, stack: '' });
const refused = (count: number) => Array.from({ length: count }, (_, index) => error(`refused ${index}`));

/** The outcome of a run, and how often its event was made and redacted. */
function outcomeFrom(result: Partial<JobResult>) {
  const counted = { made: 0, redacted: 0 };
  const outcome = outcomeOf({
    context: errorContextOf(source, { id: 'trigger', at: 1, cause: 'http' }, () => {
      counted.made += 1;
      return '{"secret":"s3cret"}';
    }),
    traits: { dedupe: undefined },
    result: {
      state: 'ended',
      emits: [],
      errors: [],
      logs: [],
      ms: 1,
      redactor: {
        inJson(json) {
          counted.redacted += 1;
          return json.replace('s3cret', '[hidden]');
        },
      },
      ...result,
    },
    dedupe: NOTHING_REMEMBERED,
    now: 2,
  });
  const eventsOf = (stream: string) =>
    outcome.events.filter((event) => event.stream === stream).map(({ json }) => JSON.parse(json) as Shown);
  return { errors: eventsOf('$errors'), logs: eventsOf('$logs').flatMap(({ lines }) => lines), counted };
}

interface Shown {
  error: { message: string };
  original_event: unknown;
  lines: { k: string; msg: string }[];
}

test('a run with 100 errors has ten error events, and its event is redacted once', () => {
  const failure = error('thrown at the end');
  const { errors, logs, counted } = outcomeFrom({ errors: [...refused(99), failure], failure });

  expect(errors.map((each) => each.error.message)).toEqual([
    ...refused(9).map(({ message }) => message),
    'thrown at the end',
  ]);
  expect(new Set(errors.map((each) => JSON.stringify(each.original_event)))).toEqual(
    new Set(['{"secret":"[hidden]"}']),
  );
  expect(counted).toEqual({ made: 1, redacted: 1 });
  expect(logs.map(({ msg }) => msg)).toContain('90 further errors are not on $errors; a run has at most 10 there');
});

test('ten errors are all shown, and nothing is said about others', () => {
  const { errors, logs } = outcomeFrom({ errors: refused(10) });

  expect(errors).toHaveLength(10);
  expect(logs).toEqual([]);
});

test('errors that were not kept are counted as well', () => {
  const { logs } = outcomeFrom({ errors: refused(20), errorsLeftOut: 80 });

  expect(logs[0]?.msg).toContain('90 further errors');
});

test('the event of a run without errors is not made', () => {
  expect(outcomeFrom({}).counted).toEqual({ made: 0, redacted: 0 });
});
