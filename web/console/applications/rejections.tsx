/** Why requests of the application were rejected: its own pages often do not show it. */
import { basePath } from '../../common/api.ts';
import type { Application, AuditEvent } from '../../common/api-types.ts';
import { Panel } from '../../common/panel.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useView } from '../session.ts';

const SHOWN = '5';

export function Rejections({ application }: { readonly application: Application }) {
  const filters = { subject: `application:${application.id}`, type: 'application.rejected', limit: SHOWN };
  const [{ data }] = useView<{ data: readonly AuditEvent[] }>(
    `/api/v1/events?${new URLSearchParams(filters)}`,
  );
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Panel title="Rejected sign-ins" id="rejections">
      <ol class="timeline">
        {data.data.map(({ id, time, details }) => (
          <li key={id}>
            <span>{details?.description}</span>
            <ShortTime at={time} />
            {details?.redirect_uri && <code>{details.redirect_uri}</code>}
          </li>
        ))}
      </ol>
      <p>
        <a href={`${basePath}/docs/oidc#when-it-does-not-work`}>What to do</a>
      </p>
    </Panel>
  );
}
