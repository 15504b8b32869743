/** Details of an error, for programs; nothing secret. */
export type ErrorData = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Base of the errors that programs distinguish. The class names the library that threw and is defined there; `code` names
 * the case, and stays the same while texts change. Each area has a union of its errors, so that `switch (error.code)` is
 * checked. The message is one line for people.
 */
export abstract class TetradError extends Error {
  abstract readonly code: string;
  readonly data: ErrorData;

  constructor(message: string, { data = {}, ...options }: ErrorOptions & { readonly data?: ErrorData } = {}) {
    super(message, options);
    this.data = data;
  }
}

/**
 * A request that was understood and that a rule of the service rejects.
 *
 * The code is stable and is what clients test, as `reason` in `error.data`; its number is looked up in the table of `libs/rpc`,
 * never typed here. The message is the exact text of the interface document where that gives one.
 */
export class RequestError extends TetradError {
  override readonly name = 'RequestError';

  constructor(
    readonly code: string,
    message: string,
    data: ErrorData = {},
  ) {
    super(message, { data });
  }
}

/**
 * A condition that the people who run the service can mend: a file that cannot be read, a port that is taken,
 * a database that does not answer. The message is one clear line for them, so no stack is shown with it.
 */
export class OperatorError extends TetradError {
  override readonly name: string = 'OperatorError';
  override readonly code: string = 'OPERATOR';
}
