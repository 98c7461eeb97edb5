import { useQuery } from '@tanstack/preact-query';
import { getComponent } from '../../api/component-api.ts';
import type { Source } from '../../api/wire.ts';
import { Loaded } from '../../components/loaded.tsx';
import { CodeForm } from './code-form.tsx';
import { SourceFrame } from './source-frame.tsx';

export const SourceCodePage = ({ id = '' }: { id?: string }) => (
  <SourceFrame id={id}>{(source) => <SourceCode key={source.id} source={source} />}</SourceFrame>
);

function SourceCode({ source }: { source: Source }) {
  const component = useQuery({
    queryKey: ['component', source.component_id],
    queryFn: () => getComponent(source.component_id),
    // A save makes another component. The editor stays while it is read.
    placeholderData: (shown) => shown,
  });
  return (
    <Loaded query={component} rows={6}>
      {({ data }) => <CodeForm source={source} component={data} />}
    </Loaded>
  );
}
