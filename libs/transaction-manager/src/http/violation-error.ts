import { ManagerError } from '../manager-error.js';
import { JSON_TYPE, TEXT, type HttpRequest } from './route.js';

/** A member of a request that breaks a rule, as existing managers report it. */
export interface Violation {
  readonly message: string;
  /** The message before its values are put in; the message itself without it. */
  readonly messageTemplate?: string;
  /** Class, method, argument and member: `TransactionResource.send.arg0.payload`. */
  readonly path: string;
  /** As text; left out of JSON when the member is absent. */
  readonly invalidValue: string | undefined;
}

/** Templates of rules that existing managers share with other programs. */
export const NOT_NULL = '{javax.validation.constraints.NotNull.message}';
export const SIZE = '{javax.validation.constraints.Size.message}';
export const PATTERN = '{javax.validation.constraints.Pattern.message}';

/** The answer to a request that breaks rules: 400, a line for each, or a list of objects for who accepts JSON alone. */
export function violationError(
  violations: readonly Violation[],
  { accept }: HttpRequest['headers'],
): ManagerError {
  if (!prefersJson(accept)) {
    const lines = violations.map(
      ({ message, path, invalidValue }) =>
        `${message} (path = ${path}, invalidValue = ${invalidValue ?? 'null'})\n`,
    );
    return new ManagerError('invalid', lines.join(''), TEXT);
  }
  const objects = violations.map(({ message, messageTemplate = message, path, invalidValue }) => ({
    ...(invalidValue === undefined ? {} : { invalidValue }),
    message,
    messageTemplate,
    path,
  }));
  return new ManagerError('invalid', JSON.stringify(objects), JSON_TYPE);
}

/** Text comes first where both are accepted. */
function prefersJson(accept: string | undefined): boolean {
  const types = (accept ?? '')
    .split(',', 32)
    .map((type) => (type.split(';', 1)[0] ?? '').trim().toLowerCase());
  return types.includes(JSON_TYPE) && !types.includes(TEXT);
}
