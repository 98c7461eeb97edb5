import type { HookScenario } from '../scenario.ts';
import { register, remove, title } from './common.ts';

export const telegram = [
  { name: 'message-updates', updates: ['message', 'edited_message'], member: 'message' },
  { name: 'channel-updates', updates: ['channel_post', 'edited_channel_post'], member: 'channel_post' },
  { name: 'new-updates', updates: ['poll'], member: 'message' },
].map(({ name, updates, member }, at): HookScenario => {
  const token = `11${at}:telegram-${name}`;
  const body = (n: number) => ({
    update_id: n,
    [member]: { text: title(n), chat: { title: 'Chat' }, from: { first_name: 'Ann', last_name: title(n) } },
  });
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
    delivery: (n) => ({ path: `/${token}`, body: body(n) }),
    emits: (n) => ({
      summary:
        member === 'channel_post'
          ? `Chat - ${title(n)}`
          : name === 'new-updates'
            ? `Update from Ann ${title(n)}`
            : title(n),
      event: body(n),
    }),
    responses: { status: 200 },
    // The component ignores an unknown path; the endpoint then sends its own response.
    wrong: () => ({ path: '/another-token', body: body(3), status: 200 }),
  };
});
