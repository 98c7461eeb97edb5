import type { HookScenario } from '../scenario.ts';
import { update } from '../senders/telegram.ts';
import { register, remove } from './common.ts';

export const telegram = (
  [
    { name: 'message-updates', updates: ['message', 'edited_message'], member: 'message' },
    { name: 'channel-updates', updates: ['channel_post', 'edited_channel_post'], member: 'channel_post' },
    { name: 'new-updates', updates: ['message'], member: 'message' },
  ] as const
).map(({ name, updates, member }, at): HookScenario => {
  const token = `11${at}:telegram-${name}`;
  return {
    component: `telegram/sources/${name}/${name}.js`,
    host: 'api.telegram.org',
    account: { prop: 'telegram', app: 'telegram_bot_api', fields: { token } },
    ...(name === 'new-updates' ? { props: () => ({ updateTypes: updates }) } : {}),
    customResponse: true,
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: `/bot${token}/setWebhook`,
        headers: { 'content-type': /^application\/json/ },
        body: { url: endpoint(`/${token}`), allowed_updates: updates },
        response: { body: { ok: true, result: true } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'GET',
        path: `/bot${token}/deleteWebhook`,
        response: { body: { ok: true, result: true } },
      }),
    ],
    sends: (to, n) => update(to, member, n),
    emits: (n, { body }) => ({
      summary:
        member === 'channel_post'
          ? `News - Post ${n}`
          : name === 'new-updates'
            ? 'Update from Test Lastname'
            : `/start ${n}`,
      event: JSON.parse(body),
    }),
    responses: { status: 200 },
    // The component ignores an unknown path; the endpoint then sends its own response.
    wrong: ({ address }) => ({ ...update({ address: `${address}0` }, member, 3), status: 200 }),
  };
});
