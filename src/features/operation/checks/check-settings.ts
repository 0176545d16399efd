/** Advice about settings that are valid but rarely meant in production. */
import { type Finding, ok, warning } from './finding.ts';

export interface ReviewedSettings {
  readonly publicUrl: string;
  readonly trustProxy: readonly string[];
  readonly passwordPolicy: 'contract' | 'nist';
}

export function checkSettings({ publicUrl, trustProxy, passwordPolicy }: ReviewedSettings): Finding[] {
  const findings: Finding[] = [];
  const advise = (message: string) => findings.push(warning('settings', message));
  if (publicUrl === '')
    advise(
      'PUBLIC_URL is not set: links are relative, and messages cannot contain links; set the URL that clients use',
    );
  else if (publicUrl.startsWith('http:'))
    advise(
      'PUBLIC_URL begins with http: passwords and tokens are sent in clear; put a proxy with TLS in front',
    );
  if (publicUrl.startsWith('https:') && trustProxy.length === 0)
    advise(
      'TRUST_PROXY is not set: behind a proxy, all clients share the rate limits of its address; list the proxies',
    );
  if (passwordPolicy === 'contract')
    advise('PASSWORD_POLICY=contract accepts any password of 8 or more characters: set it to nist');
  return [ok('settings', 'All settings are valid'), ...findings];
}
