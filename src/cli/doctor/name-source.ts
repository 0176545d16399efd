/** Names the source of the checked settings: those of this process may differ from those of the service. */
import type { ProcessEnvironment } from '../../config/environment-file.ts';
import type { Finding } from '../../features/operation/checks/finding.ts';

const OTHER_PROCESSES = 'a running node may have others, which GET /api/v1/admin/checks checks';

/** Returns where the settings of this process are from. */
export function describeSource({ file, fileExists }: ProcessEnvironment): string {
  return fileExists ? `this shell and ${file}` : `this shell (there is no ${file})`;
}

/** Adds the source to a finding about settings: the mail server is one of them. */
export function nameSource(finding: Finding, source: string): Finding {
  const { check, status, message } = finding;
  if (check === 'settings' && status === 'ok')
    return { ...finding, message: `The settings of ${source} are valid; ${OTHER_PROCESSES}` };
  const isAdvice = status === 'warning' && (check === 'settings' || check === 'mail');
  return isAdvice ? { ...finding, message: `in ${source}: ${message}` } : finding;
}
