/** The page for users beside the fields, as it will be. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../common/api.ts';
import type { PreviewRequest } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { Panel } from '../../common/panel.tsx';
import { toApiError } from '../../common/use-load.ts';
import { loadPreview, showPreview } from './preview-frame.ts';
import type { Shown } from './text-groups.ts';

const PAGES = {
  sign_in: 'Sign-in',
  sign_up: 'Sign-up',
  set_password: 'New password',
  account: 'Own account',
  form: 'Form',
  mail: 'Message',
} as const satisfies Record<PreviewRequest['page'], string>;

/** Between the last key and the request. */
const PAUSE_MS = 200;

interface PreviewProps {
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  readonly request: Omit<PreviewRequest, keyof Shown>;
}

export function Preview({ shown, onShown, request }: PreviewProps) {
  const [isDark, setIsDark] = useState(false);
  const [isPhone, setIsPhone] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const scheme = isDark ? 'dark' : 'light';
  const body = { ...request, ...shown };
  useEffect(() => {
    const abort = new AbortController();
    const show = async () => {
      const page = await loadPreview(body, abort.signal);
      if (abort.signal.aborted) return;
      showPreview(frame.current!, page, { scheme, logo: request.settings?.INSTANCE_LOGO ?? '' });
      setError(null);
    };
    const timer = setTimeout(() => void show().catch((fault) => setError(toApiError(fault))), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [JSON.stringify(body), scheme]);
  return (
    <Panel
      title="Preview"
      id="preview"
      beside={
        <div class="row">
          <Choice label="Page" options={PAGES} value={shown.page} onValue={(page) => onShown({ page })} />
          <Toggle label="Dark" isOn={isDark} onToggle={setIsDark} />
          <Toggle label="Phone" isOn={isPhone} onToggle={setIsPhone} />
        </div>
      }
    >
      {error && <Failure what="The preview is not up to date" error={error} />}
      <div class={isPhone ? 'preview phone' : 'preview'}>
        <iframe ref={frame} title="Preview" sandbox="allow-same-origin" class={scheme} tabIndex={-1} />
      </div>
    </Panel>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onValue: (value: T) => void;
}

function Choice<T extends string>({ label, options, value, onValue }: ChoiceProps<T>) {
  return (
    <select
      class="compact"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value as T)}
    >
      {Object.entries<string>(options).map(([id, title]) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: (isOn: boolean) => void;
}

function Toggle({ label, isOn, onToggle }: ToggleProps) {
  return (
    <button type="button" class="compact" aria-pressed={isOn} onClick={() => onToggle(!isOn)}>
      {label}
    </button>
  );
}
