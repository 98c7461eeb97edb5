import type { Prop } from '../../api/wire.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { Table } from '../../components/table.tsx';

/** The props that a component declares. */
export const PropTable = ({ props }: { props: readonly Prop[] }) =>
  props.length === 0 ? (
    <p class="muted">The component has no props.</p>
  ) : (
    <Table
      name="Props"
      rows={props}
      idOf={({ name }) => name}
      columns={[
        {
          name: 'Name',
          cell: ({ name, label }) => (
            <>
              <code>{name}</code>
              {typeof label === 'string' && <span class="sub">{label}</span>}
            </>
          ),
        },
        { name: 'Type', cell: ({ type }) => <code>{type}</code> },
        { name: 'Default', cell: (prop) => <DefaultValue value={prop['default']} /> },
        {
          name: 'Description',
          kind: 'wide',
          cell: ({ description }) =>
            typeof description === 'string' ? <Markdown text={description} /> : <span class="muted">–</span>,
        },
      ]}
    />
  );

const DefaultValue = ({ value }: { value: unknown }) =>
  value === undefined ? <span class="muted">–</span> : <code>{JSON.stringify(value)}</code>;
