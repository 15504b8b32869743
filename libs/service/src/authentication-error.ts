/** The token is missing, wrong or out of date; answered with 401. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
}

/** The keys of the tokens cannot be had at the moment; answered with 503. */
export class AuthenticationUnavailableError extends Error {
  override readonly name = 'AuthenticationUnavailableError';
}
