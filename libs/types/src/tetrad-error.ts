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
