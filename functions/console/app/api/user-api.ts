import { request } from './request.ts';
import type { ActivityMinute, Listed, Notices, Single, User } from './wire.ts';

/** Rejects unless the API accepts the key. */
export const tryKey = (key: string): Promise<Single<User>> => request('GET', '/users/me', { key });

export const getUser = (): Promise<Single<User>> => request('GET', '/users/me');

export const getActivity = (minutes: number): Promise<Listed<ActivityMinute>> =>
  request('GET', '/users/me/activity', { query: { minutes } });

/** The emitter of the user's notices. */
export const getNotices = (): Promise<Single<Notices>> => request('GET', '/users/me/notices');

/** Ends the session of a person. Resolves with the address that ends the one at the provider. */
export const endSession = (): Promise<Single<{ sign_out_url: string | null }>> => request('DELETE', '/session');
