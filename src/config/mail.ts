/** Settings of mail: SMTP_URL, MAIL_FROM, MAIL_TO_LOG. */
import type { MailSender, MailSettings, SmtpServer } from '../features/mail/settings.ts';
import { isEmailAddress } from '../lib/text/normalize.ts';
import { baseUrl, InvalidValue, quoted } from '../settings/rules.ts';
import { ConfigError, type Reader } from './reader.ts';

/** Reads the settings of mail. @throws ConfigError, never with the password of SMTP_URL */
export function mailSettings(read: Reader): MailSettings {
  const server = smtpServer(read, 'SMTP_URL');
  const from = read.optional('MAIL_FROM', parseSender);
  const toLog = read.setting('MAIL_TO_LOG') === 'true';
  const senderName = from?.name ?? '';
  if (server === null) return { smtp: null, senderName, toLog };
  if (from === null)
    throw new ConfigError('MAIL_FROM', 'is required with SMTP_URL, such as Example <accounts@example.com>');
  if (read.optional('PUBLIC_URL', baseUrl) === null)
    throw new ConfigError('PUBLIC_URL', 'is required with SMTP_URL, because links in messages begin with it');
  return { smtp: { server, from }, senderName, toLog };
}

const SMTP_RULE =
  'must be smtp://user:password@host:port or smtps://user:password@host:port, where port, user and password are ' +
  'optional and special characters percent-encoded; smtp:// may end in ?tls=required or ?tls=off';

/** Reads the SMTP server, or null if not set. The error message leaves the value out: it may contain a password. */
function smtpServer(read: Reader, name: string): SmtpServer | null {
  const given = read.secretUrl(name);
  if (given === null) return null;
  const server = URL.canParse(given) ? parseServer(new URL(given)) : null;
  if (server === null) throw new ConfigError(name, SMTP_RULE);
  return server;
}

function parseServer(url: URL): SmtpServer | null {
  const { protocol, port, pathname, search, hash } = url;
  const isSecure = protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isSecure && protocol !== 'smtp:') return null;
  if (!/^[\w.:-]+$/.test(host) || !/^\/?$/.test(pathname) || hash !== '' || port === '0') return null;
  const credentials = parseCredentials(url);
  const tls = /^\?tls=(required|off)$/.exec(search)?.[1];
  if (credentials === undefined || (search !== '' && (tls === undefined || isSecure))) return null;
  // A password must not be sent in clear because an attacker on the path hides that the server offers TLS.
  const standard = credentials === null || isLoopback(host) ? 'offered' : 'required';
  const startTls = (tls ?? standard) as SmtpServer['startTls'];
  return { host, port: port === '' ? null : Number(port), isSecure, startTls, credentials };
}

/** Returns undefined for a user without a password, the reverse, and malformed percent-encoding. */
function parseCredentials({ username, password }: URL): SmtpServer['credentials'] | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Parses `Name <address>` or an address. @throws InvalidValue */
function parseSender(given: string): MailSender {
  const [, displayName = '', inBrackets] = /^("[^"<>]*"|[^"<>]*?)\s*<([^<>]*)>$/.exec(given) ?? [];
  const address = inBrackets ?? given;
  if (isEmailAddress(address) && !/\p{Cc}/u.test(displayName))
    return { name: displayName.replaceAll('"', '').trim(), address };
  throw new InvalidValue(`must be an address or Name <address>, not ${quoted(given)}`);
}

/** The address that gets messages about the service itself. @throws InvalidValue */
export function operatorEmail(address: string): string {
  if (isEmailAddress(address)) return address;
  throw new InvalidValue(`must be an email address, not ${quoted(address)}`);
}
