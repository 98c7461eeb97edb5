import { useQuery } from '@tanstack/preact-query';
import { Allowed } from '../../api/rights.tsx';
import { listSubscriptions } from '../../api/subscription-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { useDirectory } from '../../hooks/use-directory.ts';
import { AddNoticesForm } from './add-notices-form.tsx';
import { NoticeReceivers } from './notice-receivers.tsx';

/** The receivers of notices, and a form that adds one. */
export function NoticesPage() {
  const directory = useDirectory();
  const subscriptions = useQuery({ queryKey: ['subscriptions'], queryFn: listSubscriptions });
  return (
    <Page title="Notices" about="A notice tells that something fails or works again. A webhook gets none about itself.">
      <Loaded query={directory}>
        {(names) => (
          <>
            <Loaded query={subscriptions} rows={1}>
              {({ data }) => (
                <NoticeReceivers
                  subscriptions={data.filter(({ emitter_id: emitter }) => emitter === names.notices.id)}
                  directory={names}
                />
              )}
            </Loaded>
            <Allowed>
              <AddNoticesForm directory={names} />
            </Allowed>
          </>
        )}
      </Loaded>
    </Page>
  );
}
