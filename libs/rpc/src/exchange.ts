/** Headers of every request; a function is called for each one. */
export type RequestHeaders = Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);

/** Where bodies are posted to, and within which bounds. */
export interface ExchangeOptions {
  readonly url: string;
  readonly headers?: RequestHeaders;
  readonly timeoutMs?: number;
  readonly connections?: number;
  readonly maxAnswerBytes?: number;
}

/** Posts bodies to one URL. */
export interface Exchange {
  /**
   * The JSON that the other side answers.
   * @throws RpcTransportError
   */
  post(body: string): Promise<unknown>;
  close(): Promise<void>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
/** Answers are trusted to nest deeper than requests may: traces do. */
export const MAX_DEPTH = 512;
/** Of a 401, in whatever form its body says so. */
export const TOKEN_PROBLEM = 'the token is missing or not accepted';
