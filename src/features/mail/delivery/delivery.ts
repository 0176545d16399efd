/**
 * Sends the queued messages: a few at a time, each leased first, so that several nodes share the work. The queue is
 * read every second, which costs an indexed read for each priority and finds messages that other nodes have queued as
 * well.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../../database/database.ts';
import { MINUTE, type MonotonicClock } from '../../../lib/time/clock.ts';
import { deleteMail, findDueMail, findUrgentMail, type MailRow } from '../queries.ts';
import { type AttemptDeps, beginAttempt, postponeMail, sendMail } from './attempt.ts';
import type { PreparedMail } from './message.ts';
import { correctSchedule } from './rescheduling/correct-schedule.ts';
import { MAX_CONNECTIONS } from './smtp-transport.ts';

export const POLL_MS = 1_000;
/** While the server cannot be used, only a few messages per pause use up an attempt. */
const SERVER_PAUSE_MS = 10_000;
/** One connection is kept for messages that a person waits for. */
const MAX_LESS_URGENT = MAX_CONNECTIONS - 1;
const CORRECTION_INTERVAL_MS = MINUTE;
/** After that time, a stopping node aborts what it sends. */
const STOP_DEADLINE_MS = 5_000;

export interface DeliveryDeps extends AttemptDeps {
  readonly monotonicClock: MonotonicClock;
}

export class MailDelivery {
  readonly #deps: DeliveryDeps;
  readonly #timer: NodeJS.Timeout;
  readonly #sending = new Set<Promise<void>>();
  /** Messages that were sent, and whose rows could not be deleted yet. */
  readonly #sent = new Set<string>();
  readonly #stopping = new AbortController();
  #isClosed = false;
  #isQueueReadable = true;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #correctedAt = Number.NEGATIVE_INFINITY;
  #filling: Promise<void> | null = null;

  /** Starts to send messages as they become due. */
  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#fill(), POLL_MS).unref();
  }

  /** Sends all messages that are due now. Resolves when each was sent or has failed. */
  async deliverDue(): Promise<void> {
    await this.#fill();
    while (this.#sending.size > 0) {
      await Promise.race(this.#sending);
      await this.#fill();
    }
  }

  /** Finishes what is being sent, within a few seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    await this.#filling;
    const deadline = setTimeout(() => this.#stopping.abort(), STOP_DEADLINE_MS);
    await Promise.all(this.#sending);
    clearTimeout(deadline);
    this.#deps.transport.close();
  }

  /** Begins to send due messages, until the queue has none or enough are being sent. Never rejects. */
  #fill(): Promise<void> {
    this.#filling ??= this.#fillOnce()
      .then(() => {
        this.#isQueueReadable = true;
      })
      .catch((error) => {
        if (this.#isQueueReadable) this.#deps.logger.warn({ err: error }, 'the mail queue is not available');
        this.#isQueueReadable = false;
      })
      .finally(() => {
        this.#filling = null;
      });
    return this.#filling;
  }

  async #fillOnce(): Promise<void> {
    await this.#deleteSent();
    await this.#correctSchedule();
    while (this.#canSend()) {
      const due = await this.#findNext();
      if (due.length === 0) return;
      for (const mail of due) await this.#begin(mail);
      // Yields to requests: transactions on SQLite are synchronous and would block the event loop.
      await nextTurn();
    }
  }

  /** Returns messages to be sent next, as many as there are connections for them. */
  #findNext(): Promise<MailRow[]> {
    const { database, clock } = this.#deps;
    const sending = this.#sending.size;
    if (sending < MAX_LESS_URGENT) return findDueMail(database, clock(), MAX_LESS_URGENT - sending);
    return findUrgentMail(database, clock(), MAX_CONNECTIONS - sending);
  }

  async #correctSchedule(): Promise<void> {
    const { database, clock, monotonicClock } = this.#deps;
    if (monotonicClock() < this.#correctedAt + CORRECTION_INTERVAL_MS) return;
    await correctSchedule(database, clock());
    this.#correctedAt = monotonicClock();
  }

  #canSend(): boolean {
    const isPaused = this.#deps.monotonicClock() < this.#pausedUntil;
    return !this.#isClosed && !isPaused && this.#sending.size < MAX_CONNECTIONS;
  }

  async #begin(mail: MailRow): Promise<void> {
    const prepared = await beginAttempt(this.#deps, mail).catch((error) => {
      if (error instanceof DatabaseUnavailable) throw error;
      return postponeMail(this.#deps, mail, error);
    });
    if (!prepared) return;
    const task = this.#send(mail, prepared).then(() => {
      this.#sending.delete(task);
      void this.#fill();
    });
    this.#sending.add(task);
  }

  async #send(mail: MailRow, prepared: PreparedMail): Promise<void> {
    const { logger, monotonicClock } = this.#deps;
    try {
      const outcome = await sendMail(this.#deps, { mail, prepared, stopping: this.#stopping.signal });
      if (outcome.isSent) this.#sent.add(mail.id);
      if (outcome.concernsServer) this.#pausedUntil = monotonicClock() + SERVER_PAUSE_MS;
      await this.#deleteSent();
    } catch (error) {
      // The row of a message that was sent is deleted later; any other message is sent again after its lease.
      logger.warn({ err: error, mail_id: mail.id }, 'the outcome of sending mail could not be stored');
    }
  }

  async #deleteSent(): Promise<void> {
    for (const id of this.#sent) {
      await this.#deps.database.transaction((tx) => deleteMail(tx, id));
      this.#sent.delete(id);
    }
  }
}
