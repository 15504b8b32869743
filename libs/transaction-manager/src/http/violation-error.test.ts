import { describe, expect, it } from '@jest/globals';
import type { ManagerError } from '../manager-error.js';
import { payloadMember } from './payload-member.js';

/** @returns the kind, type and text of the error */
function errorOf(members: object, accept: string | undefined): unknown[] {
  try {
    payloadMember({ ...members }, 'TransactionResource.send', { accept });
    return [];
  } catch (error) {
    const { kind, type, message } = error as ManagerError;
    return [kind, type, message];
  }
}

const path = 'TransactionResource.send.arg0.payload';

describe('a member that breaks a rule', () => {
  it.each([undefined, '*/*', 'text/plain, application/json', 'application/vnd.tessera-2.1+json'])(
    'is reported as a line of text to a client that accepts %s',
    (accept) => {
      const text = `may not be null (path = ${path}, invalidValue = null)\n`;
      expect(errorOf({}, accept)).toEqual(['invalid', 'text/plain', text]);
    },
  );

  it('is reported in JSON to a client that accepts only JSON', () => {
    const accept = 'application/json; charset=utf-8';
    const empty = errorOf({ payload: '' }, accept);
    const message = 'size must be between 1 and 2147483647';
    const messageTemplate = '{javax.validation.constraints.Size.message}';
    expect(empty.slice(0, 2)).toEqual(['invalid', 'application/json']);
    expect(JSON.parse(empty[2] as string)).toEqual([{ invalidValue: '[]', message, messageTemplate, path }]);
    const [missing] = JSON.parse(errorOf({}, accept)[2] as string) as unknown[];
    expect(missing).not.toHaveProperty('invalidValue');
  });
});
