/** Properties of the form of an operation and of its confirmation. */
import type { Operation } from '../description/operations.ts';
import type { Credential } from './credentials.ts';
import type { Draft, Form } from './draft.ts';
import type { HttpRequest } from './request.ts';

export interface TryOutProps {
  readonly operation: Operation;
  readonly form: Form;
  readonly draft: Draft;
  readonly request: HttpRequest;
  readonly credential: Credential | null;
  readonly onChange: (draft: Draft) => void;
}
