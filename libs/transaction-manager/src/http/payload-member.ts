import { ManagerError } from '../manager-error.js';
import { optionalText, type Members } from './json-members.js';

/** What is longer cannot be told from what is not base64, as with existing managers. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The payload of a request. In: at — class and method that its texts name. Fails: ManagerError 400 */
export function payloadMember(members: Members, at: string): Buffer {
  const value = optionalText(members, 'payload');
  const path = `path = ${at}.arg0.payload`;
  if (value === undefined) throw new ManagerError(400, `may not be null (${path}, invalidValue = null)\n`);
  const bytes = BASE64.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
  if (bytes.length === 0)
    throw new ManagerError(400, `size must be between 1 and 2147483647 (${path}, invalidValue = [])\n`);
  return bytes;
}
