/** All routes of stored forms and their submissions. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { submissionExport } from './export/routes.ts';
import { type FormRouteDeps, forms } from './form-routes.ts';
import { formStates } from './form-state-routes.ts';
import type { ReceiveDeps } from './submissions/receive-submission.ts';
import { submissions } from './submissions/routes.ts';
import { newSubmissions } from './submissions/submit-route.ts';
import { formVersions } from './version-routes.ts';

export const storedForms: FeaturePlugin<FormRouteDeps & ReceiveDeps> = async (app, deps) => {
  await app.register(forms, deps);
  await app.register(formStates, deps);
  await app.register(formVersions, deps);
  await app.register(newSubmissions, deps);
  await app.register(submissions, deps);
  await app.register(submissionExport, deps);
};
