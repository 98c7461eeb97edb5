import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/** https://developers.webflow.com/data/v1.0.0/reference/webhooks: webhooks of an access token are not signed. */
const PAYLOADS = {
  collection_item_created: (n: number, collection: string) => ({
    name: `Item ${n}`,
    slug: `item-${n}`,
    _archived: false,
    _draft: false,
    'created-on': '2026-01-01T00:00:00.000Z',
    _cid: collection,
    _id: `62b720ef280c7a7a3be8cab${n}`,
  }),
  site_publish: (n: number) => ({
    site: '62749158efef318abc8d5a0f',
    publishTime: 1_653_588_291_357 + n,
    domains: ['acme.webflow.io'],
    publishedBy: { displayName: 'Ann Lee' },
  }),
  form_submission: (n: number) => ({
    name: 'Sample Form',
    site: '62749158efef318abc8d5a0f',
    data: { 'First Name': 'Zaphod', 'Last Name': `Beeblebrox ${n}` },
    d: '2026-01-01T00:00:00.000Z',
    _id: `628bc4e2a8a6b2c0b3d8c1a${n}`,
  }),
};

export const webflowEvent = (
  { address }: Pick<Receiver, 'address'>,
  trigger: keyof typeof PAYLOADS,
  { n, collection = '' }: { n: number; collection?: string },
): SentRequest => ({
  url: address,
  headers: JSON_TYPE,
  body: JSON.stringify(PAYLOADS[trigger](n, collection)),
});
