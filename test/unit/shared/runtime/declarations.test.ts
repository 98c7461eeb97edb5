import { describe, expect, test } from 'vitest';
import { declarationsIn } from '../../../../shared/runtime/declarations.ts';

const options = () => [];
const app = {
  type: 'app',
  app: 'some_app',
  propDefinitions: {
    plain: { type: 'string', label: 'Plain', description: 'Of the app', optional: true },
    chosen: { type: 'string[]', options },
    short: 'integer',
    timer: { type: '$.interface.timer', default: { intervalSeconds: 60 } },
  },
};

describe('declarations of props', () => {
  test('shorthands are their type', () => {
    expect(declarationsIn({ db: '$.service.db', http: '$.interface.http', text: 'string' })).toEqual([
      { name: 'db', type: '$.service.db', fields: {} },
      { name: 'http', type: '$.interface.http', fields: {} },
      { name: 'text', type: 'string', fields: {} },
    ]);
  });

  test('a propDefinition inherits, and the component overrides', () => {
    const [prop] = declarationsIn({
      mine: { propDefinition: [app, 'plain'], label: 'Mine', optional: false },
    });

    expect(prop).toMatchObject({
      name: 'mine',
      type: 'string',
      fields: { label: 'Mine', description: 'Of the app', optional: false },
    });
  });

  test('a propDefinition may define a timer, be a shorthand, or inherit itself', () => {
    const above = { propDefinitions: { again: { propDefinition: [app, 'plain'], label: 'Again' } } };
    const types = declarationsIn({
      timer: { propDefinition: [app, 'timer'] },
      short: { propDefinition: [app, 'short'] },
      again: { propDefinition: [above, 'again'] },
    }).map(({ type, fields }) => [type, fields['label']]);

    expect(types).toEqual([
      ['$.interface.timer', undefined],
      ['integer', undefined],
      ['string', 'Again'],
    ]);
  });

  test('an app is known by its own object, also behind a namespace', () => {
    expect(declarationsIn({ app })[0]).toMatchObject({ type: 'app', app });
    expect(declarationsIn({ app: { default: app } })[0]).toMatchObject({ type: 'app', app });
  });

  test("a propDefinition that the app lacks, or that is circular, leaves the component's own declaration", () => {
    const circle: Record<string, unknown> = {};
    circle['propDefinitions'] = { a: { propDefinition: [circle, 'a'], label: 'Round' } };

    expect(declarationsIn({ a: { propDefinition: [app, 'missing'], label: 'L' } })[0]).toMatchObject({
      type: 'any',
    });
    expect(declarationsIn({ a: { propDefinition: [circle, 'a'] } })[0]).toMatchObject({
      fields: { label: 'Round' },
    });
  });
});
