import { bearer, type HookScenario } from '../scenario.ts';
import { webflowEvent } from '../senders/webflow.ts';
import { register, remove } from './common.ts';

interface Kind {
  name: string;
  trigger: Parameters<typeof webflowEvent>[1];
  props?: Record<string, unknown>;
  summary: (n: number) => string;
  isExtra?: boolean;
}

/** The subject of each webhook of a site. */
const kinds: readonly Kind[] = [
  {
    name: 'new-collection-item',
    trigger: 'collection_item_created',
    props: { collectionIds: ['c1', 'c2'] },
    summary: (n) => `Collection item created: item-${n}`,
  },
  {
    name: 'site-published',
    trigger: 'site_publish',
    summary: () => 'Site published: 62749158efef318abc8d5a0f',
    isExtra: true,
  },
  {
    name: 'new-form-submission',
    trigger: 'form_submission',
    summary: () => 'New form submission',
    isExtra: true,
  },
];

export const webflow = kinds.map(({ name, trigger, props, summary, isExtra = false }, at): HookScenario => {
  const siteId = `site-${at}`;
  const headers = { ...bearer(`webflow-${name}`), 'accept-version': '1.0.0' };
  return {
    component: `webflow/sources/${name}/${name}.js`,
    host: 'api.webflow.com',
    isExtra,
    account: { prop: 'webflow', app: 'webflow', fields: { oauth_access_token: `webflow-${name}` } },
    props: () => ({ siteId, ...props }),
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: `/sites/${siteId}/webhooks`,
        headers,
        body: { triggerType: trigger, url: endpoint(), filter: {} },
        response: { body: { _id: `hook-${at}` } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'DELETE',
        path: `/sites/${siteId}/webhooks/hook-${at}`,
        headers,
        response: { body: { deleted: 1 } },
      }),
    ],
    sends: (to, n) => webflowEvent(to, trigger, { n, collection: 'c2' }),
    emits: (n, { body }) => ({ summary: summary(n), event: JSON.parse(body) }),
    // An item of another collection.
    ...(name === 'new-collection-item'
      ? { wrong: (to) => ({ ...webflowEvent(to, trigger, { n: 3, collection: 'c9' }), status: 200 }) }
      : {}),
  };
});
