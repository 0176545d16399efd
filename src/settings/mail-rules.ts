/** Rules of the settings of mail. */
import { isEmailAddress } from '../lib/text/normalize.ts';
import { InvalidValue, quoted } from './rules.ts';

export interface SmtpServer {
  readonly host: string;
  /** Null: the default port of the scheme, 587 or 465. */
  readonly port: number | null;
  /** Whether the connection begins with TLS (smtps). */
  readonly isSecure: boolean;
  /** STARTTLS on a connection that begins without TLS; `offered`: if the server offers it. */
  readonly startTls: 'required' | 'offered' | 'off';
  readonly credentials: { readonly user: string; readonly pass: string } | null;
}

export interface MailSender {
  /** Empty if the setting is an address alone. */
  readonly name: string;
  readonly address: string;
}

const SMTP_RULE =
  'must be smtp://user:password@host:port or smtps://user:password@host:port, where port, user and password are ' +
  'optional and special characters percent-encoded; smtp:// may end in ?tls=required or ?tls=off';

/** The mail server. The message leaves the value out: it may contain a password. */
export function smtpServer(given: string): SmtpServer {
  const server = URL.canParse(given) ? parseServer(new URL(given)) : null;
  if (server === null) throw new InvalidValue(SMTP_RULE);
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

/** `Name <address>`, or an address. */
export function mailSender(given: string): MailSender {
  const [, displayName = '', inBrackets] = /^("[^"<>]*"|[^"<>]*?)\s*<([^<>]*)>$/.exec(given) ?? [];
  const address = inBrackets ?? given;
  if (isEmailAddress(address) && !/\p{Cc}/u.test(displayName))
    return { name: displayName.replaceAll('"', '').trim(), address };
  throw new InvalidValue(`must be an address or Name <address>, not ${quoted(given)}`);
}

export function emailAddress(address: string): string {
  if (isEmailAddress(address)) return address;
  throw new InvalidValue(`must be an email address, not ${quoted(address)}`);
}
