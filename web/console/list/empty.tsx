/** The empty state of a list: its purpose, and the next step. */
import type { ComponentChildren } from 'preact';
import { basePath } from '../../common/api.ts';
import { Icon, type IconName } from '../../common/icon.tsx';
import { startAction } from '../start-action.ts';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** Label of the action of the page that begins by a button; null if the person may not start it. */
  readonly action?: string | null;
  /** Path of the document about it. */
  readonly docs: string;
  /** A sentence or two: what is listed here, and how it gets here. */
  readonly children: ComponentChildren;
}

export function Empty({ icon, title, action = null, docs, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{children}</p>
      <p class="row">
        {action !== null && (
          <button type="button" class="primary" onClick={() => startAction(action)}>
            <Icon name="plus" />
            {action}
          </button>
        )}
        <a class="button" href={basePath + docs}>
          Read the documents
        </a>
      </p>
    </div>
  );
}
