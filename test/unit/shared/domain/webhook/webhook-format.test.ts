import { expect, test } from 'vitest';
import { appOfUrl } from '../../../../../shared/domain/webhook/webhook-format.ts';

test.each([
  ['https://hooks.slack.com/services/T0/B0/xyz', 'slack'],
  ['https://HOOKS.slack.com/workflows/T0/A0/1/xyz', 'slack'],
  ['https://discord.com/api/webhooks/1/token', 'discord'],
  ['https://canary.discord.com/api/v10/webhooks/1/token', 'discord'],
  ['https://discordapp.com/api/webhooks/1/token?thread_id=2', 'discord'],
  ['https://prod-03.westus.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=x', 'teams'],
  ['https://a1.09.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/1?sig=x', 'teams'],
  ['https://discord.com/channels/1/2', undefined],
  ['https://hooks.slack.com.evil.example/services/x', undefined],
  ['https://evil.example/hooks.slack.com/services/x', undefined],
  ['https://logic.azure.com.evil.example/', undefined],
  ['http://hooks.slack.com/services/T0/B0/xyz', undefined],
  ['hooks.slack.com/services/x', undefined],
  ['', undefined],
])('the app of %s is %s', (url, app) => {
  expect(appOfUrl(url)).toBe(app);
});
