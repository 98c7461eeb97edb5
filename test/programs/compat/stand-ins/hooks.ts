import type { HookScenario } from '../scenario.ts';
import { asana } from './asana.ts';
import { bitbucket } from './bitbucket.ts';
import { calendly } from './calendly.ts';
import { typeform, jotform, formstack } from './forms.ts';
import { ghost } from './ghost.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { googleHooks } from './google.ts';
import { netlify } from './netlify.ts';
import { salesforceHooks } from './salesforce.ts';
import { sendgrid } from './sendgrid.ts';
import { sentry } from './sentry.ts';
import { stripe } from './stripe.ts';
import { supersaas } from './supersaas.ts';
import { telegram } from './telegram.ts';
import { trello } from './trello.ts';
import { twilio } from './twilio.ts';
import { webflow } from './webflow.ts';

export const hookScenarios: readonly HookScenario[] = [
  typeform,
  jotform,
  formstack,
  ...gitlab,
  ...github,
  ...telegram,
  ...netlify,
  ...calendly,
  ...ghost,
  ...trello,
  sentry,
  sendgrid,
  bitbucket,
  asana,
  supersaas,
  stripe,
  ...webflow,
  ...salesforceHooks,
  twilio,
  ...googleHooks,
];
