/** Text that the process prints after its start: a block on a terminal, one line elsewhere. */

interface ServiceStart {
  readonly url: string;
  readonly store: string;
  /** File of the administrator credential; null if ADMIN_TOKEN is set. */
  readonly adminTokenFile: string | null;
  /** The `.env` that was read; null if there is none. */
  readonly settingsFile: string | null;
  readonly hasConsole: boolean;
}

/** Returns the announcement. Scripts may rely on ` listens on <url> `, which both forms contain. */
export function formatAnnouncement(service: ServiceStart, isTerminal: boolean): string {
  // Browsers have no passkeys at an IP address.
  const started = { ...service, url: service.url.replace('//127.0.0.1:', '//localhost:') };
  return isTerminal ? formatBlock(started) : formatLine(started);
}

function formatLine({ url, store, adminTokenFile }: ServiceStart): string {
  const credential = adminTokenFile ?? 'the environment';
  return `Frontdesk listens on ${url} with the database ${store} (ADMIN_TOKEN: ${credential})`;
}

function formatBlock({ url, store, adminTokenFile, settingsFile, hasConsole }: ServiceStart): string {
  const credential = adminTokenFile ?? 'the environment';
  const bearer = adminTokenFile === null ? '$ADMIN_TOKEN' : `$(cat ${shellQuoted(adminTokenFile)})`;
  return `
  Frontdesk listens on ${url} (press Ctrl+C to stop)

  Database             ${store}
  ADMIN_TOKEN          ${credential}
${settingsFile === null ? '' : `  Settings             environment and ${settingsFile}\n`}${hasConsole ? `  Console              ${url}/console\n` : ''}  API reference        ${url}/docs

  List the users with:
  curl ${url}/api/v1/users -H "Authorization: Bearer ${bearer}"
`;
}

/** Quotes a path for POSIX shells if needed. Inside `$(…)`, quotes may nest in double quotes. */
function shellQuoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
