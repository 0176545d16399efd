/** Parts of pages: sections of the own account, and forms with passkeys. */
import type { PageForm, PageLink } from './page-forms.ts';

interface Row {
  /** A letter that stands for the title. */
  readonly mark?: string;
  readonly title?: string;
  readonly badge?: { readonly tone: 'good' | 'warn' | 'note'; readonly label: string };
  readonly text?: string;
  /** The times in the text, in their order, which scripts show in the time zone of the person. */
  readonly at?: number | readonly number[];
  /** A link, a button, or a form with fields, which the person unfolds. */
  readonly action?: PageLink | PageForm | null;
  /** A button or a form beside it. */
  readonly other?: PageForm;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly badge?: Row['badge'];
  readonly form?: PageForm;
  readonly rows: readonly Row[];
  /** Shown where there are neither scripts nor passkeys. */
  readonly unsupported?: string;
  /** The passkeys that there are, of which the browser is told. */
  readonly accepted?: AcceptedPasskeys | undefined;
  /** Below the rows. */
  readonly help?: PageLink & { readonly text: string };
}

/** Options of `PublicKeyCredential.signalAllAcceptedCredentials()`: browsers delete all other passkeys of the user. */
interface AcceptedPasskeys {
  readonly rpId: string;
  readonly userId: string;
  readonly allAcceptedCredentialIds: readonly string[];
}

/** A form that a script sends with a passkey. It is hidden where there are neither scripts nor passkeys. */
export interface PasskeyForm {
  readonly action: string;
  readonly label: string;
  /** Where the options of a sign-in are fetched. */
  readonly optionsUrl?: string;
  /** The options of a new passkey. */
  readonly creation?: object;
  /** Texts for the person: the browser has made or found none; it has one already; it cannot have any. */
  readonly failed: string;
  readonly excluded?: string;
  readonly unsupported?: string | undefined;
  /** A passkey that is not known, and its domain: browsers stop offering it. */
  readonly unknown?: { readonly rpId: string; readonly credentialId: string } | undefined;
}
