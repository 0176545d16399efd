import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connectsWithoutTls } from './tls.ts';

const ON_THIS_MACHINE = [
  'postgres://user:password@localhost/frontdesk',
  'postgres://user:password@LOCALHOST:5433/frontdesk?sslmode=disable',
  'postgres://127.0.0.1/frontdesk',
  'postgres://127.8.9.10/frontdesk',
  'postgres://[::1]:5432/frontdesk',
  'postgres://[::ffff:127.0.0.1]/frontdesk',
  'postgres:///frontdesk?host=/var/run/postgresql',
  'postgres:///frontdesk?host=localhost',
  'postgres://%2Fvar%2Frun%2Fpostgresql/frontdesk',
];

const WITHOUT_TLS = [
  'postgres://user:password@db.example.com/frontdesk',
  'postgresql://192.0.2.7:5432/frontdesk',
  'postgres://[2001:db8::1]/frontdesk',
  'postgres://0.0.0.0/frontdesk',
  'postgres://localhost.example.com/frontdesk',
  'postgres:///frontdesk?host=db.example.com',
  'postgres://localhost/frontdesk?host=db.example.com',
  'postgres://db.example.com/frontdesk?sslmode=disable',
  'postgres://db.example.com/frontdesk?sslmode=disable&uselibpqcompat=true',
  'postgres://db.example.com/frontdesk?ssl=0',
];

const WITH_TLS = [
  'postgres://db.example.com/frontdesk?sslmode=verify-full',
  'postgres://db.example.com/frontdesk?sslmode=no-verify',
  'postgres://db.example.com/frontdesk?sslmode=require&uselibpqcompat=true',
  'postgres://db.example.com/frontdesk?sslmode=prefer&uselibpqcompat=true',
  'postgres://db.example.com/frontdesk?ssl=true',
];

describe('a connection to PostgreSQL', () => {
  for (const url of ON_THIS_MACHINE)
    test(`a PostgreSQL connection stays on this machine: ${url}`, () =>
      assert.equal(connectsWithoutTls(url), false));
  for (const url of WITHOUT_TLS)
    test(`a PostgreSQL connection leaves this machine without TLS: ${url}`, () =>
      assert.equal(connectsWithoutTls(url), true));
  for (const url of WITH_TLS) test(`uses TLS: ${url}`, () => assert.equal(connectsWithoutTls(url), false));
});
