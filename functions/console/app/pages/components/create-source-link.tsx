import { Allowed } from '../../api/rights.tsx';

/** Leads to the form of a new source with this component. */
export const CreateSourceLink = ({ componentId, isMain = false }: { componentId: string; isMain?: boolean }) => (
  <Allowed>
    <a class={isMain ? 'button primary' : 'button'} href={`/console/sources/new?key=${componentId}`}>
      Create source
    </a>
  </Allowed>
);
