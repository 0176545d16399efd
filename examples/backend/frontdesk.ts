/** Calls of the service, in the name of the person whose browser has sent the request. */

export interface FrontdeskOptions {
  /** URL of the service. */
  readonly url: string;
  /** `fd_svc_…`: a credential with the scope `clients:forward` only. */
  readonly credential: string;
}

export interface Client {
  /** Address of the browser, whose limits count. */
  readonly ip: string;
  /** What lists of tokens and events call the device by. */
  readonly userAgent: string;
}

export interface Call {
  readonly client: Client;
  readonly token?: string;
  readonly body?: object;
}

export interface FrontdeskResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a generated client has types (examples/typescript)
  readonly body: any;
}

const TIMEOUT_MS = 10_000;

export type Frontdesk = (method: string, path: string, call: Call) => Promise<FrontdeskResponse>;

/**
 * Creates the client. Error responses are returned. Its requests fail when the service does not respond, and when it does
 * not accept the credential of this backend: that says nothing about the person.
 */
export function createFrontdesk({ url, credential }: FrontdeskOptions): Frontdesk {
  return async (method, path, { client, token, body }) => {
    // #region forward
    const headers: Record<string, string> = {
      // Without these, all people share the limits of this backend: one who guesses passwords would lock out the others.
      'Frontdesk-Credential': credential,
      'X-Forwarded-For': client.ip,
      'Frontdesk-User-Agent': client.userAgent,
    };
    if (token !== undefined) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The token of the person has the realm "api".
    if (response.status === 401 && response.headers.get('www-authenticate')?.includes('realm="admin"'))
      throw new Error('FRONTDESK_CREDENTIAL is not accepted');
    // #endregion
    return { status: response.status, body: await response.json() };
  };
}
