/** The service behind https with a certificate that the clients trust, as in production. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { SELF_SIGNED } from '../support/self-signed.ts';
import { ADMIN_TOKEN, startService } from '../support/service.ts';

export const PERSON = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' };

export async function startIssuer(directory: string) {
  const ca = join(directory, 'ca.pem');
  mkdirSync(directory, { recursive: true });
  writeFileSync(ca, SELF_SIGNED.cert);
  setDefaultCACertificates([SELF_SIGNED.cert]);
  let target = '';
  const proxy = createServer(SELF_SIGNED, (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const options = { method, headers: { ...headers, 'x-forwarded-proto': 'https' } };
    const forwarded = request(target + url, options, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const issuer = `https://localhost:${(proxy.address() as AddressInfo).port}`;
  const service = await startService('sqlite', {
    environment: { PUBLIC_URL: issuer, TRUST_PROXY: '127.0.0.1' },
  });
  target = service.service.url;
  const { status, body } = await service.api.post('/api/v1/users', PERSON, { token: ADMIN_TOKEN });
  if (status !== 201) throw new Error(JSON.stringify(body));
  let created = 0;
  /** Creates an application for one attempt of a client. */
  const createApplication = async (members: object) => {
    const named = { name: `Client ${++created}`, ...members };
    const { body } = await service.api.post('/api/v1/applications', named, { token: ADMIN_TOKEN });
    if (body.data === undefined) throw new Error(JSON.stringify(body));
    // There may be 100.
    const remove = () => service.api.delete(`/api/v1/applications/${body.data.id}`, { token: ADMIN_TOKEN });
    return { ...(body.data as { id: string; client_secret: string | null }), remove };
  };
  const stop = async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
  };
  const httpIssuer = service.service.url;
  return {
    issuer,
    httpIssuer,
    ca,
    userId: body.data.id as string,
    createApplication,
    log: service.log,
    stop,
  };
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;
