import { bearer, type HookScenario } from '../scenario.ts';
import type { Expected } from '../stand-in.ts';
import { register, remove, title } from './common.ts';

interface Kind {
  name: string;
  trigger: string;
  props?: Record<string, unknown>;
  filter?: Record<string, Expected>;
  body: (n: number) => Record<string, unknown>;
  summary: (n: number) => string;
  isExtra?: boolean;
}

const CREATED_AT = '2026-01-01T00:00:00.000Z';

/** The subject of each webhook of a site. */
const kinds: readonly Kind[] = [
  {
    name: 'new-collection-item',
    trigger: 'collection_item_created',
    props: { collectionIds: ['c1', 'c2'] },
    body: (n) => ({ _id: `item-${n}`, _cid: 'c2', slug: title(n), 'created-on': CREATED_AT }),
    summary: (n) => `Collection item created: ${title(n)}`,
  },
  {
    name: 'site-published',
    trigger: 'site_publish',
    body: (n) => ({ site: 'acme', publishTime: Date.parse(CREATED_AT) + n }),
    summary: () => 'Site published: acme',
    isExtra: true,
  },
  {
    name: 'new-form-submission',
    trigger: 'form_submission',
    body: (n) => ({ _id: `form-${n}`, d: CREATED_AT, data: { name: title(n) } }),
    summary: () => 'New form submission',
    isExtra: true,
  },
];

export const webflow = kinds.map(
  ({ name, trigger, props, filter = {}, body, summary, isExtra = false }, at): HookScenario => {
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
          body: { triggerType: trigger, url: endpoint(), filter },
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
      delivery: (n) => ({ body: body(n) }),
      emits: (n) => ({ summary: summary(n), event: body(n) as Expected }),
      // An item of another collection.
      ...(name === 'new-collection-item'
        ? { wrong: () => ({ body: { ...body(3), _cid: 'c9' }, status: 200 }) }
        : {}),
    };
  },
);
