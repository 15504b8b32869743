import { BaseError } from 'viem';

interface Explanation {
  readonly docsBaseUrl: string;
  readonly docsPath: string;
  readonly docsSlug: string;
  readonly metaMessages: string[];
  readonly name: string;
  readonly cause?: Error | undefined;
}

/**
 * An error that has a cause, with a link to what explains the error itself. viem's own would join the page of the cause
 * with the heading of the error, which leads nowhere.
 */
export abstract class ExplainedError extends BaseError {
  constructor(text: string, { cause, ...explanation }: Explanation) {
    super(text, { ...explanation, ...(cause === undefined ? {} : { details: detailsOf(cause) }) });
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause, configurable: true });
  }
}

function detailsOf(cause: Error): string {
  return cause instanceof BaseError ? cause.details : cause.message;
}
