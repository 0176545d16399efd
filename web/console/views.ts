/** The views that are loaded on demand, in one file: each split would make more files of what they have in common. */
export { ApplicationView } from './applications/application-view.tsx';
export { Applications } from './applications/applications.tsx';
export { BackupsPage } from './backups/backups.tsx';
export { BrandPage } from './brand/brand.tsx';
export { Credentials } from './credentials/credentials.tsx';
export { FormView } from './forms/form-view.tsx';
export { FormsPage } from './forms/forms-page.tsx';
export { SubmissionView } from './forms/submissions/submission-view.tsx';
export { SignInWays } from './identity-providers/sign-in-page.tsx';
export { Mail } from './mail/mail.tsx';
export { SettingsPage } from './settings/settings.tsx';
export { WebhookView } from './webhooks/webhook-view.tsx';
export { Webhooks } from './webhooks/webhooks.tsx';
