/** examples/webhook-receiver with deliveries of the service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createReceiver, type FrontdeskEvent } from '../../examples/webhook-receiver/receiver.ts';
import { admin, newUserData, openService } from '../support/service.ts';
import { until } from '../support/until.ts';

test('examples/webhook-receiver accepts deliveries of the service, processes each event once, and rejects other senders', async (context) => {
  const { api } = await openService(context, 'sqlite', { environment: { WEBHOOK_ALLOW: '127.0.0.1' } });
  const events: FrontdeskEvent[] = [];
  let failures = 1;
  const handle = async (event: FrontdeskEvent) => {
    if (event.type === 'webhook.test' && failures-- > 0) throw new Error('not yet');
    events.push(event);
  };
  // The creation of the webhook needs the port, and the receiver the secret.
  const server = createServer((request, response) => receiver.emit('request', request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const created = await api.post('/api/v1/webhooks', { url }, admin);
  const { secret } = created.body.data;
  const receiver = createReceiver({ secret, handle });

  await api.post('/api/register', newUserData());
  await until(() => events.some(({ type }) => type === 'user.created'), 'the event is delivered');
  const registered = events.find(({ type }) => type === 'user.created')!;
  assert.match(registered.data.subject!, /^user:/);
  const processed = events.length;
  const send = (signedWith: string, event: FrontdeskEvent, time = new Date()) => {
    const body = JSON.stringify(event);
    const headers = {
      'webhook-id': event.data.id,
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': new Webhook(signedWith).sign(event.data.id, time, body),
    };
    return fetch(url, { method: 'POST', headers, body }).then(({ status }) => status);
  };
  assert.equal(await send(secret, registered), 204);
  assert.equal(events.length, processed, 'an event that was processed is not processed again');
  const other = { ...registered, type: 'webhook.test', data: { ...registered.data, id: 'another' } };
  assert.equal(await send('whsec_b3RoZXIgc2VjcmV0', other), 401);
  assert.equal(await send(secret, other, new Date(Date.now() - 600_000)), 401);
  assert.equal((await fetch(url, { method: 'POST', body: 'x'.repeat(5_000_000) })).status, 413);
  const aborted = connect(Number(new URL(url).port), '127.0.0.1');
  aborted.end('POST / HTTP/1.1\r\nHost: receiver\r\nContent-Length: 9\r\n\r\n{');
  await once(aborted.resume(), 'close');
  assert.equal(events.length, processed);
  assert.deepEqual([await send(secret, other), await send(secret, other)], [500, 204]);
  assert.equal(events.length, processed + 1);
});
