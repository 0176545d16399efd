/** Lines of Fastify about requests: failures that reach no error handler. The other lines repeat the request log. */
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

export class FailureLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  /** A hook has failed after the response. */
  override requestCompleted(error: Error | null | undefined, request: FastifyRequest): void {
    if (error) logFailure(error, request, 'a request failed after its response');
  }

  /** A header of the response is invalid. */
  override writeHeadError(error: Error, request: FastifyRequest): void {
    logFailure(error, request, 'the head of a response failed');
  }

  /** The response does not match its schema. */
  override serializerError(error: Error, request: FastifyRequest, _reply: FastifyReply): void {
    logFailure(error, request, 'the serialisation of a response failed');
  }
}

function logFailure(err: Error, { id, log }: FastifyRequest, message: string): void {
  log.error({ request_id: id, err }, message);
}
