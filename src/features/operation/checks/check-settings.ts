/** Checks the settings, those that are stored, the operator's own texts, disk space, and access to files of secrets. */
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isAccessibleToOthers } from '../../../lib/files.ts';
import { isPlainHttp } from '../../../lib/routes/routes.ts';
import type { IgnoredValue } from '../../../settings/live-settings.ts';
import { verifySmtp } from '../../mail/delivery/smtp-transport.ts';
import type { MailSettings } from '../../mail/settings.ts';
import type { RelyingParty } from '../../people/sign-in/relying-party.ts';
import { WrongTextFile } from '../../texts/language-file.ts';
import { createTexts } from '../../texts/texts.ts';
import { type Finding, failure, getReason, ok, warning } from './finding.ts';

export interface ReviewedSettings {
  readonly publicUrl: string;
  readonly trustProxy: readonly string[];
  readonly passwordPolicy: 'contract' | 'nist';
  /** Null where no browser has passkeys. */
  readonly relyingParty: RelyingParty | null;
}

/** Advises about settings that are valid but rarely meant in production. */
export function checkSettings(settings: ReviewedSettings): Finding[] {
  const { publicUrl, trustProxy, passwordPolicy, relyingParty } = settings;
  const findings: Finding[] = [];
  const advise = (message: string) => findings.push(warning('settings', message));
  if (publicUrl === '')
    advise(
      'PUBLIC_URL is not set: links are relative, and messages cannot contain links; set the URL that clients use',
    );
  else if (isPlainHttp(publicUrl))
    advise(
      'PUBLIC_URL begins with http: passwords and tokens are sent in clear; put a proxy with TLS in front',
    );
  if (publicUrl.startsWith('https:') && trustProxy.length === 0)
    advise(
      'TRUST_PROXY is not set: behind a proxy, all clients share the rate limits of its address; list the proxies',
    );
  if (relyingParty === null)
    advise(
      'PUBLIC_URL has an IP address or no TLS, so that browsers have no passkeys; set it to an https URL with a domain',
    );
  if (passwordPolicy === 'contract')
    advise('PASSWORD_POLICY=contract accepts any password of 8 or more characters: set it to nist');
  return [ok('settings', 'All settings are valid'), ...findings];
}

/** Reports settings in the database that are ignored: edited by hand, or stored by another release. */
export function checkStoredSettings(ignored: readonly IgnoredValue[]): Finding[] {
  return ignored.map(({ name, reason }) =>
    warning(
      'settings',
      `The value of ${name} in the database is ignored: ${name} ${reason}; set it again or, by null, reset it`,
    ),
  );
}

/** A start with a wrong text fails. `textsDir`: TEXTS_DIR. */
export async function checkTexts({ textsDir }: { readonly textsDir: string | null }): Promise<Finding[]> {
  if (textsDir === null) return [];
  try {
    const { languages } = await createTexts(textsDir);
    return [ok('texts', `The texts in ${textsDir} can be used; languages: ${languages.join(', ')}`)];
  } catch (error) {
    if (!(error instanceof WrongTextFile)) throw error;
    return [failure('texts', `TEXTS_DIR: ${error.message}: correct it, because the next start fails`)];
  }
}

/** `timeoutMs`: how long the mail server has to respond. */
export async function checkMail({ smtp, toLog }: MailSettings, timeoutMs: number): Promise<Finding[]> {
  if (toLog) return [warning('mail', 'MAIL_TO_LOG=true logs the links of messages: for development only')];
  if (smtp === null)
    return [
      warning(
        'mail',
        'SMTP_URL is not set: messages stay queued, and users cannot reset their passwords or sign in with codes',
      ),
    ];
  try {
    await verifySmtp(smtp, timeoutMs);
    return [ok('mail', `${smtp.server.host} accepts the connection and the sign-in`)];
  } catch (error) {
    return [failure('mail', `${smtp.server.host}: ${getReason(error)}: check SMTP_URL and the mail server`)];
  }
}

export interface FileSettings {
  readonly dataDir: string;
  /** Null if it is kept in a file, as the next one. */
  readonly adminTokens: readonly string[] | null;
  readonly secretKey: string | null;
}

const MIB = 1024 * 1024;
const LOW = 1024 * MIB;
const CRITICAL = 100 * MIB;

export async function checkDisk({ dataDir }: Pick<FileSettings, 'dataDir'>): Promise<Finding[]> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const message = `${Math.floor(free / MIB)} MiB are free in ${dataDir}`;
    if (free < CRITICAL) return [failure('disk', `${message}: writes will fail; free space now`)];
    return [free < LOW ? warning('disk', `${message}: free space`) : ok('disk', message)];
  } catch (error) {
    return [warning('disk', `${getReason(error)}: check DATA_DIR; the first start creates it`)];
  }
}

export function checkSecretFiles({ dataDir, adminTokens, secretKey }: FileSettings): Finding[] {
  const names = [
    ...(adminTokens === null ? ['admin-token'] : []),
    ...(secretKey === null ? ['secret-key'] : []),
  ];
  return names.map((name) => checkSecretFile(join(dataDir, name)));
}

function checkSecretFile(file: string): Finding {
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) return ok('secrets', `${file} will be created by the first start`);
    if (!isAccessibleToOthers(status, process.geteuid?.()))
      return ok('secrets', `${file} is accessible to its owner only`);
    return warning('secrets', `${file} is accessible to other users: chmod 600 ${file}`);
  } catch (error) {
    return failure('secrets', `${getReason(error)}: run the command as the user of the service`);
  }
}
