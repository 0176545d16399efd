/**
 * Reference: a server of Fastify and its official plugins with their documented defaults, as a good engineer would
 * assemble it in a day. It has the measured routes only.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { formSchema, listSchema, userSchema } from './schemas.ts';
import { openUsers } from './users.ts';

const { PORT, DATABASE, ADMIN_TOKEN } = process.env as Record<string, string>;
const BEARER = 'Bearer ';

const users = openUsers(DATABASE!);
const admin = hash('sha256', ADMIN_TOKEN!, 'buffer');
// Fastify's own request log on standard output.
const app = fastify({ logger: true, ajv: { customOptions: { allErrors: true } } });

await app.register(helmet);
// One client IP sends all the load: the limit counts, and is never reached.
await app.register(rateLimit, { max: 1_000_000_000, timeWindow: '1 minute' });
await app.register(underPressure, { maxEventLoopDelay: 1_000, exposeStatusRoute: '/readyz' });
app.decorateRequest('userId', '');

app.get('/api/v1/me', { schema: userSchema, onRequest: requireUser }, async (request, reply) => {
  const data = users.find(request.getDecorator<string>('userId'));
  return data === undefined ? sendUnauthorized(reply) : { message: 'Current user', data };
});

app.get<{ Querystring: { limit: number; cursor: string } }>(
  '/api/v1/users',
  { schema: listSchema, onRequest: requireAdmin },
  async ({ query }) => {
    const { page, nextCursor } = users.list(query.cursor, query.limit);
    return { message: 'Users list', data: page, next_cursor: nextCursor };
  },
);

app.post('/api/v1/form-fields/validate', { schema: formSchema }, async () => ({ errors: [] }));

app.setErrorHandler((error: { validation?: { message?: string }[] }, request, reply) => {
  if (error.validation === undefined) {
    request.log.error(error);
    return reply.code(500).send({ error: 'Internal server error' });
  }
  const errors = error.validation.map(({ message }) => message);
  return reply.code(400).send({ error: 'Invalid form fields', errors });
});

async function requireUser(request: FastifyRequest, reply: FastifyReply) {
  const userId = users.findUserIdByToken(readBearerToken(request));
  if (userId === undefined) return sendUnauthorized(reply);
  request.setDecorator('userId', userId);
}

async function requireAdmin(request: FastifyRequest, reply: FastifyReply) {
  if (!timingSafeEqual(hash('sha256', readBearerToken(request), 'buffer'), admin))
    return sendUnauthorized(reply);
}

function readBearerToken({ headers }: FastifyRequest): string {
  return headers.authorization?.slice(BEARER.length) ?? '';
}

function sendUnauthorized(reply: FastifyReply) {
  return reply.code(401).send({ error: 'Unauthorized' });
}

process.on('SIGTERM', () => process.exit(0));
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
