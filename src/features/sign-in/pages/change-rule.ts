/** What a change of the own account is given, does and leads to. */
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import type { ProblemCode } from '../../../problems/problem.ts';
import type { FieldName } from '../../pages/hosted/page-forms.ts';
import type { requireRelyingParty } from '../../people/sign-in/relying-party.ts';
import type { Proof } from '../../people/sign-in/require-proof.ts';
import type { SentForm } from '../../people/sign-in/session-cookie.ts';
import type { Shown } from '../../people/sign-in/shown-once.ts';
import type { LanguageTexts } from '../../texts/language-file.ts';
import type { HostedPageDeps } from './hosted-pages.ts';
import type { OwnSession } from './profile-section.ts';

export interface Change extends Proof {
  readonly session: OwnSession;
  readonly request: Parameters<typeof requireRelyingParty>[1] & SentForm;
  readonly values: Readonly<Record<FieldName, string>>;
  /** The id in the path; empty without one. */
  readonly id: string;
  /** Those of the page. */
  readonly texts: LanguageTexts;
  /** The Set-Cookie headers of the response, to which the change adds its own. */
  readonly cookies: string[];
}

export interface ChangeRule {
  readonly fields: readonly FieldName[];
  /** Schema of a body that has other members, too. */
  readonly body?: JsonSchema;
  readonly change: (deps: HostedPageDeps, change: Change) => Promise<unknown>;
  /** The problem of a form that is sent again after it was successful. */
  readonly repeated?: ProblemCode;
  /** What the page at `next` shows after the change. While the session is shown it, the change is not made again. */
  readonly shows?: keyof Shown;
  /** Path of the page that follows; without it, the account again. */
  readonly next?: string;
  /** What the account says then: `mailed` after a message to a new address, otherwise that the change is saved. */
  readonly done?: 'mailed';
  /** Whether the change deletes the account. */
  readonly isErasure?: boolean;
}
