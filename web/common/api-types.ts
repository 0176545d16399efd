/**
 * Types of the requests and responses of the API, from the declarations that `npm run api-types` generates. The
 * pages send their requests by api.ts.
 */
import type * as client from './api-client.d.ts';

export type {
  Application,
  Credential,
  Group,
  IdentityProvider,
  Mail,
  NewApplication,
  Problem,
  Submission,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookHealth,
} from './api-client.d.ts';

type Operation = (...parameters: never[]) => Promise<{ readonly status: number; readonly data: unknown }>;

/** The body of the successful response of an operation. */
type SuccessBody<T extends Operation> = Extract<Awaited<ReturnType<T>>, { readonly status: 200 }>['data'];
/** The member `data` of it. */
type SuccessData<T extends Operation> = SuccessBody<T> extends { readonly data: infer Data } ? Data : never;

/** A user as administrators get it. */
export type User = client.User & Required<Pick<client.User, 'groups'>>;
export type UserState = client.User['state'];
export type UserChanges = Parameters<typeof client.updateUser>[2];
/** A page of users for the administrator. */
export type UserList = Omit<client.UserPage, 'data'> & { readonly data: readonly User[] };
export type UserCount = SuccessData<typeof client.countUsers>;
export type UserToken = SuccessData<typeof client.listUserTokens>[number];
export type UserSession = SuccessData<typeof client.listUserSessions>[number];
/** Lists of one subject are not folded. */
export type AuditEvent = SuccessData<typeof client.listUserEvents>[number] &
  Partial<Pick<client.ListedEvent, 'folded'>>;
export type EventType = AuditEvent['type'];
export type ListedGroup = SuccessData<typeof client.listGroups>[number];
export type Dashboard = SuccessData<typeof client.getDashboard>;
export type DailyCount = Dashboard['sign_ups_by_day'][number];
export type ServiceStatus = SuccessData<typeof client.getStatus>;
export type SettingList = SuccessData<typeof client.listSettings>;
export type Setting = SettingList['settings'][number];
export type Limit = SettingList['limits'][number];
export type LanguageTexts = SuccessData<typeof client.listTexts>;
export type LanguageText = LanguageTexts['texts'][number];
export type PreviewRequest = Parameters<typeof client.renderPreview>[0];
export type Backups = SuccessData<typeof client.listBackups>;
export type Alert = SuccessData<typeof client.listAlerts>['alerts'][number];
export type SignUpGroups = SuccessData<typeof client.groupSignUps>;
export type Findings = SuccessData<typeof client.listChecks>;
export type FieldType = Parameters<typeof client.validateFormFields>[0]['fields'][number]['type'];
export type MailCounts = SuccessData<typeof client.countMail>;
export type MailDetail = SuccessData<typeof client.getMail>;
export type AdminScope = Parameters<typeof client.createCredential>[0]['scopes'][number];
export type LinkKind = Parameters<typeof client.sendLink>[1]['kind'];
export type ProviderCheck = SuccessData<typeof client.checkIdentityProvider>[number];
export type Identity = SuccessData<typeof client.listUserIdentities>[number];
export type UserPasskey = SuccessData<typeof client.listUserPasskeys>[number];
/** A form as callers with the scope `forms:read` get it. */
export type Form = Required<client.Form>;
export type ListedForm = SuccessData<typeof client.listForms>[number];
export type FormField = Form['fields'][number];
export type FormVersion = SuccessData<typeof client.getFormVersion>;
export type FormVersionList = SuccessData<typeof client.listFormVersions>;
/** A submission with those beside it in a list. */
export type OpenedSubmission = SuccessBody<typeof client.getSubmission>;
export type AnswerTotals = SuccessData<typeof client.countAnswers>;
