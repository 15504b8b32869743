import { readVersions } from './answers.js';
import {
  Connection,
  type ManagerAnswer,
  type ManagerClientOptions,
  type ManagerRequest,
} from './connection.js';
import { OLDEST_VERSION, featuresOf, type ManagerFeatures } from './features.js';
import { MAX_TEXT, unknown, type Outcome, type Refused } from './outcome.js';
import { RequestMetrics } from './request-metrics.js';
import { JSON_TYPE } from './requests.js';

/** What managers of every version answer to `GET /upcheck`. */
const UP = "I'm up!";
const NO_MANAGER = 'the server at the URL is no transaction manager';

/** Requests to a transaction manager, whose outcomes are returned and never thrown, and what it can do. */
export class ManagerRequests {
  private readonly connection: Connection;
  private readonly metrics: RequestMetrics;
  private known: ManagerFeatures | undefined;

  /** @throws TypeError for an invalid URL */
  constructor(options: ManagerClientOptions) {
    this.connection = new Connection(options);
    this.metrics = new RequestMetrics(options.metrics);
  }

  /** What the manager can do; asked again after it was unavailable, since another one may have come. */
  async features(signal?: AbortSignal): Promise<Outcome<ManagerFeatures>> {
    if (this.known !== undefined) return { kind: 'done', value: this.known };
    const request = { method: 'GET', path: '/version/api', headers: { accept: JSON_TYPE }, signal } as const;
    const asked = await this.ask(request, ({ body, headers }) => featuresOf(readVersions(body), headers));
    const outcome = asked.kind === 'refused' ? await this.checkRefusal(asked, signal) : asked;
    if (outcome.kind === 'done') this.known = outcome.value;
    return outcome;
  }

  /** A manager from before the request still says that it is up; any other server would make every payload seem absent. */
  private async checkRefusal(refused: Refused, signal?: AbortSignal): Promise<Outcome<ManagerFeatures>> {
    if (refused.status === 405) return unknown(`${NO_MANAGER}: it takes no GET requests, as a node`);
    if (refused.status !== 404) return refused;
    const up = await this.ask({ method: 'GET', path: '/upcheck', signal }, ({ text }) => text);
    if (up.kind === 'unknown') return up;
    return up.kind === 'done' && up.value.trim() === UP
      ? { kind: 'done', value: featuresOf([OLDEST_VERSION]) }
      : unknown(`${NO_MANAGER}: it knows neither /version/api nor /upcheck`);
  }

  /** Has `features` ask again. */
  forgetFeatures(): void {
    this.known = undefined;
  }

  /** Closes the connections; what is under way is `unknown`. */
  close(): Promise<void> {
    return this.connection.close();
  }

  /** Asks, and counts the request with its outcome. */
  async ask<T>(
    request: ManagerRequest,
    read: (answer: ManagerAnswer) => T,
    take?: (piece: Buffer) => void,
  ): Promise<Outcome<T>> {
    const started = performance.now();
    const outcome = await this.askUncounted(request, read, take);
    this.metrics.finished(request, outcome.kind, started);
    return outcome;
  }

  /** The same for a request that waits at the manager on purpose. */
  async askUncounted<T>(
    request: ManagerRequest,
    read: (answer: ManagerAnswer) => T,
    take?: (piece: Buffer) => void,
  ): Promise<Outcome<T>> {
    try {
      const answer = await this.connection.ask(request, take);
      if (answer.status === 200 || answer.status === 201) return { kind: 'done', value: read(answer) };
      return { kind: 'refused', status: answer.status, text: answer.text.slice(0, MAX_TEXT) };
    } catch (error) {
      this.known = undefined;
      return unknown(reasonOf(error));
    }
  }
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: unknown };
  // A DOMException has a number there, from the days before names.
  return (
    [typeof code === 'string' ? code : undefined, message]
      .filter((part) => part !== undefined && part !== '')
      .join(': ') || String(error)
  );
}
