import { useQuery } from '@tanstack/preact-query';
import { readApps } from '../api/account-api.ts';

/**
 * The apps that accounts can be connected of. A form begins with the fields of its app, so each form reads them: a
 * component that was built meanwhile may have added some.
 */
export const useApps = () => useQuery({ queryKey: ['apps'], queryFn: readApps, gcTime: 0 });
