/** The views that are loaded on demand, in one file: each split would make more files of what they have in common. */

export { Applications } from './applications/page.tsx';
export { ApplicationView } from './applications/view.tsx';
export { BackupsPage } from './backups/page.tsx';
export { BrandPage } from './brand/page.tsx';
export { Credentials } from './credentials/page.tsx';
export { FormsPage } from './forms/page.tsx';
export { SubmissionView } from './forms/submissions/view.tsx';
export { FormView } from './forms/view.tsx';
export { Groups } from './groups/page.tsx';
export { GroupView } from './groups/view.tsx';
export { SignInWays } from './identity-providers/page.tsx';
export { MailPage } from './mail/page.tsx';
export { SettingsPage } from './settings/settings.tsx';
export { Webhooks } from './webhooks/page.tsx';
export { WebhookView } from './webhooks/view.tsx';
