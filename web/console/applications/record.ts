/** Applications, as the API returns them. */
import type { Application, NewApplication } from '../../common/api-types.ts';
import { request } from '../session.ts';

export const APPLICATIONS = '/console/applications';
export const API_PATH = '/api/v1/applications';

export const KINDS = {
  web: 'Web, with a server',
  public: 'Browser, mobile or desktop',
} as const satisfies Record<Application['kind'], string>;

/** An application that has just got a secret. */
export type SecretApplication = NewApplication & { readonly client_secret: string };

/** Properties of the sections of an application. */
export interface ApplicationSection {
  readonly application: Application;
  readonly onChange: () => void;
}

export function applicationPath({ id }: Pick<Application, 'id'>): string {
  return `${API_PATH}/${encodeURIComponent(id)}`;
}

/** Returns the precondition that the application is as this page shows it. */
export function ifMatch({ version }: Application) {
  return { 'If-Match': `"${version}"` };
}

/** Returns the application after the change. @throws ApiError with 412 when it was changed since */
export async function changeApplication(application: Application, body: object): Promise<Application> {
  const options = { method: 'PATCH', headers: ifMatch(application), body } as const;
  return (await request<{ data: Application }>(applicationPath(application), options)).body.data;
}
