/** Runs the actions of a user interface, one at a time, and keeps the error of the last one. */
import { useRef, useState } from 'preact/hooks';
import { ApiError } from './api.ts';
import { toApiError } from './use-load.ts';

export interface Action {
  readonly isBusy: boolean;
  /** Error of the last run. */
  readonly error: ApiError | null;
  /** Does nothing while the last run goes on: a second press of a button sends nothing twice. */
  readonly run: (work: () => Promise<unknown>) => Promise<void>;
}

export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ isBusy: false, error: null });
  const isRunning = useRef(false);
  const run = async (work: () => Promise<unknown>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isBusy: true, error: null });
    const error = await work().then(
      () => null,
      (failure) => toUserMessage(toApiError(failure)),
    );
    isRunning.current = false;
    setState({ isBusy: false, error });
  };
  return { ...state, run };
}

/** The dialog that asks to sign in again is closed when this text is read. */
function toUserMessage(error: ApiError): ApiError {
  if (error.status !== 401) return error;
  return new ApiError(401, {
    error: 'The session had ended, so nothing was changed. Please try again.',
    code: error.code,
  });
}
