import fc from 'fast-check';
import { type Behaviour, BEHAVIOURS } from '../webhook-responses.ts';
import { picked, type StepKind } from './step.ts';

/** Makes a webhook and subscribes it. */
export const createWebhook: StepKind<{ behaviour: Behaviour; emitter: number }> = {
  weight: 10,
  parameters: fc.record({ behaviour: fc.constantFrom(...BEHAVIOURS), emitter: fc.nat() }),
  async play({ tenant }, { behaviour, emitter }) {
    const before = tenant.webhooks.length;
    await tenant.createWebhook(behaviour);
    const made = tenant.webhooks[before];
    const from = picked(tenant.emitters, emitter);
    if (made && from) await tenant.subscribe(from.id, made.id, 'default');
  },
};

export const deleteWebhook: StepKind<number> = {
  weight: 5,
  parameters: fc.nat(),
  async play({ tenant }, pick) {
    const webhook = picked(tenant.webhooks, pick);
    if (webhook) await tenant.deleteWebhook(webhook);
  },
};

/** Switches a webhook off or on. */
export const switchWebhook: StepKind<{ webhook: number; active: boolean }> = {
  weight: 8,
  parameters: fc.record({ webhook: fc.nat(), active: fc.boolean() }),
  async play({ tenant }, { webhook: pick, active }) {
    const webhook = picked(tenant.webhooks, pick);
    if (webhook) await tenant.switchWebhook(webhook, active);
  },
};

export const rotateSecret: StepKind<number> = {
  weight: 4,
  parameters: fc.nat(),
  async play({ tenant }, pick) {
    const webhook = picked(tenant.webhooks, pick);
    if (webhook) await tenant.rotateSecret(webhook);
  },
};

export const redeliver: StepKind<{ webhook: number; delivery: number }> = {
  weight: 8,
  parameters: fc.record({ webhook: fc.nat(), delivery: fc.nat() }),
  async play({ tenant }, { webhook: pick, delivery }) {
    const webhook = picked(tenant.webhooks, pick);
    if (webhook) await tenant.redeliver(webhook, delivery);
  },
};

export const recover: StepKind<{ webhook: number; minutes: number }> = {
  weight: 6,
  parameters: fc.record({ webhook: fc.nat(), minutes: fc.constantFrom(1, 10, 100) }),
  async play({ tenant, work }, { webhook: pick, minutes }) {
    const webhook = picked(tenant.webhooks, pick);
    if (webhook) await tenant.recover(webhook, work.now() - minutes * 60_000);
  },
};
