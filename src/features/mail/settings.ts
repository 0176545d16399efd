/** Settings of outgoing mail. */

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

export interface MailSettings {
  readonly smtp: { readonly server: SmtpServer; readonly from: MailSender } | null;
  /** Name of the sender; empty if there is none. */
  readonly senderName: string;
  /** Messages are logged, with their links, instead of sent. */
  readonly toLog: boolean;
}

/** Whether messages leave the queue: over SMTP or to the log. */
export function isDelivered({ smtp, toLog }: MailSettings): boolean {
  return smtp !== null || toLog;
}
