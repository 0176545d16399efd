/** The menu of the console. */
import { useState } from 'preact/hooks';
import { type ApiError, basePath } from '../common/api.ts';
import { Failure } from '../common/components.tsx';
import { Link, path } from '../common/router.tsx';
import { ThemeChoice } from '../common/theme-choice.tsx';
import { toApiError } from '../common/use-load.ts';
import { signOut } from './session.ts';

const VIEWS = {
  '/console': 'Overview',
  '/console/users': 'Users',
  '/console/form-check': 'Form check',
  '/console/settings': 'Settings',
};

export function Header() {
  const [error, setError] = useState<ApiError | null>(null);
  const leave = () => {
    signOut().catch((failure) => setError(toApiError(failure)));
  };
  return (
    <header class="container top">
      <nav aria-label="Console">
        <ul>
          {Object.entries(VIEWS).map(([to, label]) => (
            <li key={to}>
              <Link to={to} aria-current={isCurrent(to) ? 'page' : undefined}>
                {label}
              </Link>
            </li>
          ))}
          <li>
            <a href={`${basePath}/docs`}>API reference</a>
          </li>
        </ul>
      </nav>
      <div class="tools">
        <ThemeChoice />
        <button type="button" class="secondary outline" onClick={leave}>
          Sign out
        </button>
      </div>
      {error && <Failure what="You could not be signed out" error={error} retry={leave} />}
    </header>
  );
}

function isCurrent(to: string): boolean {
  return to === '/console' ? path.value === to : path.value.startsWith(to);
}
