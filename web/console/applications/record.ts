/** Applications, as the API returns them. */
import type { Application, NewApplication } from '../../common/api-types.ts';
import { createRecords } from '../records/requests.ts';
import type { SecretKind } from '../records/secret.tsx';

export const applications = createRecords<Application>('/api/v1/applications', 'application');

export const KINDS = {
  web: 'Web, with a server',
  public: 'Browser, mobile or desktop',
} as const satisfies Record<Application['kind'], string>;

export const SECRET: SecretKind = {
  label: 'Client secret',
  purpose:
    'Your program proves with it that it is the application. It belongs to the server, not into pages or apps.',
};

/** An application that has just got a secret. */
export type SecretApplication = NewApplication & { readonly client_secret: string };
