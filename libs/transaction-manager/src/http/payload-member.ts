import { optionalText, type Members } from './json-members.js';
import type { HttpRequest } from './route.js';
import { NOT_NULL, SIZE, violationError } from './violation-error.js';

/** As with existing managers, a text that is too long gets the error of one that is not base64. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The payload of a request.
 * @param at - class and method that its texts name
 * @throws ManagerError 400
 */
export function payloadMember(members: Members, at: string, headers: HttpRequest['headers']): Buffer {
  const value = optionalText(members, 'payload');
  const path = `${at}.arg0.payload`;
  if (value === undefined) {
    const missing = { message: 'may not be null', messageTemplate: NOT_NULL, path, invalidValue: undefined };
    throw violationError([missing], headers);
  }
  const bytes = BASE64.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
  if (bytes.length > 0) return bytes;
  const message = 'size must be between 1 and 2147483647';
  throw violationError([{ message, messageTemplate: SIZE, path, invalidValue: '[]' }], headers);
}
