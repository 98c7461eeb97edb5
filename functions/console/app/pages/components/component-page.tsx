import { useQuery } from '@tanstack/preact-query';
import { getComponent } from '../../api/component-api.ts';
import type { Component } from '../../api/wire.ts';
import { CopyButton } from '../../components/buttons/copy-button.tsx';
import { About } from '../../components/facts.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { Time } from '../../components/time.tsx';
import { CreateSourceLink } from './create-source-link.tsx';
import { PropTable } from './prop-table.tsx';

export function ComponentPage({ id = '' }: { id?: string }) {
  const query = useQuery({ queryKey: ['component', id], queryFn: () => getComponent(id) });
  const component = query.data?.data;
  return (
    <Page
      title={component?.name ?? 'Component'}
      section="Components"
      about={<IdLine name="id">{component?.id ?? id}</IdLine>}
      actions={component && <CreateSourceLink componentId={component.id} isMain />}
    >
      <Loaded query={query} rows={6}>
        {({ data }) => <OneComponent component={data} />}
      </Loaded>
    </Page>
  );
}

function OneComponent({ component }: { component: Component }) {
  const { key, version, description, component_url: url, code_hash: hash, created_at: seconds } = component;
  const files: [path: string, text: string][] = [
    [component.path, component.code],
    ...Object.entries(component.files ?? {}),
  ];
  return (
    <>
      <About
        facts={[
          ['Description', description !== null && <Markdown text={description} />],
          ['Key', key === null ? <span class="muted">None</span> : <IdLine name="key">{key}</IdLine>],
          ['Version', version === '' ? <span class="muted">None</span> : version],
          ['Address', url !== null && <IdLine name="address">{url}</IdLine>],
          ['Code hash', <IdLine name="code hash">{hash}</IdLine>],
          ['Saved', <Time ms={seconds * 1_000} />],
        ]}
      />
      <section class="stack" aria-labelledby="props">
        <h2 id="props">Props</h2>
        <PropTable props={component.configurable_props} />
      </section>
      {files.map(([path, text]) => (
        <CodeFile key={path} path={path} text={text} />
      ))}
    </>
  );
}

const CodeFile = ({ path, text }: { path: string; text: string }) => (
  <section class="stack" aria-label={path}>
    <h2>
      <code>{path}</code>
    </h2>
    <div class="snippet">
      <pre tabIndex={0} aria-label={`Code of ${path}`}>
        {text}
      </pre>
      <CopyButton text={text} label="Copy code" />
    </div>
  </section>
);
