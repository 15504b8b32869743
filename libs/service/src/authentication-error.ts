import { TetradError } from '@tetrad/types';

/** The token is missing, wrong or out of date; answered with 401. */
export class AuthenticationError extends TetradError {
  override readonly name = 'AuthenticationError';
  override readonly code = 'AUTHENTICATION_FAILED';
}

/** The keys of the tokens are unavailable; answered with 503. */
export class AuthenticationUnavailableError extends TetradError {
  override readonly name = 'AuthenticationUnavailableError';
  override readonly code = 'AUTHENTICATION_UNAVAILABLE';
}
