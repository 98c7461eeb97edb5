import { eventValue } from '../../../shared/runtime/event-value.ts';
import { configure, type MakeThis, withDefinitions, withinOptionLimits } from '../../../shared/runtime/configure.ts';
import { createComponentContext, type ComponentContextOptions } from '../../../shared/runtime/component-context.ts';
import type { Database } from '../../../shared/runtime/db.ts';
import { describe } from '../../../shared/runtime/describe.ts';
import type { LoadedComponent } from '../../../shared/runtime/load.ts';
import type { Job } from '../../../shared/domain/run/run.ts';
import { redactLine } from '../../../shared/runtime/redaction/redact-line.ts';
import type { ChildRequest } from '../child-request.ts';
import { completeDeclarations } from './complete-declarations.ts';
import { jobInterface, readOnly, withoutLines } from './job-interface.ts';
import { redactorFor } from './redactor-cache.ts';
import type { RunningJob } from './running-job.ts';

interface JobContext {
  component: LoadedComponent;
  database: Database;
  request: ChildRequest;
  running: RunningJob;
}

/** Performs a job: describes the component, lists options or props, or calls a hook or `run`. */
export async function performJob(job: Job, { component, database, request, running }: JobContext): Promise<void> {
  if (job.kind === 'describe') {
    running.write({ k: 'described', job: job.id, description: describe(component, job.slips) });
    return;
  }
  const declarations = withDefinitions(component.declarations, request.additionalProps);
  const redactor = redactorFor(request.props, declarations);
  running.addRedaction((text) => redactor.inText(text));
  const called = jobInterface({ request, database, job: running, redactor });
  const thisWith =
    (options: ComponentContextOptions): MakeThis =>
    (all) =>
      createComponentContext({ ...component, declarations: [...all] }, options);
  const makeThis = thisWith(called);
  if (job.kind === 'props' || job.kind === 'options') {
    const response = await configure(job, component, thisWith(withoutLines(called, database)));
    running.write(withinOptionLimits(redactLine(response, redactor)));
    return;
  }
  const self = makeThis(await completeDeclarations(declarations, component, request, thisWith(readOnly(called))));
  if (job.kind === 'hook') {
    await component.hooks[job.hook]?.call(self);
    return;
  }
  const event = eventValue({ json: job.event, body: job.body });
  // A component without `run` emits what its interface received.
  if (component.run) await component.run.call(self, event);
  else called.emit(event);
}
