import type { Source } from '../../api/wire.ts';
import { Loaded } from '../../components/loaded.tsx';
import { CodeForm } from './code-form.tsx';
import { SourceFrame } from './source-frame.tsx';
import { useComponent } from './use-source.ts';

export const SourceCodePage = ({ id = '' }: { id?: string }) => (
  <SourceFrame id={id}>{(source) => <SourceCode key={source.id} source={source} />}</SourceFrame>
);

const SourceCode = ({ source }: { source: Source }) => (
  <Loaded query={useComponent(source)} rows={6}>
    {({ data }) => <CodeForm source={source} component={data} />}
  </Loaded>
);
