import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BaseError } from 'viem';
import { fragmentsOf } from '../../../test/architecture/page-fragments.js';
import * as client from '../src/index.js';

const root = resolve(import.meta.dirname, '../../..');
const errors = join(root, 'libs/client/src/errors');
const address = `0x${'11'.repeat(20)}` as const;
const hash = `0x${'22'.repeat(32)}` as const;
const foreign = new BaseError('of viem', { docsPath: '/docs/contract/readContract', docsSlug: 'args' });
const rejected = (cause: Error) =>
  new client.TetradRequestError({
    cause,
    method: 'eth_call',
    reason: 'NONCE_TOO_LOW',
    code: -32000,
    text: 'low',
  });

/** Of each class of an error those that an application may get. */
const samples: Readonly<Record<string, readonly BaseError[]>> = {
  AccountMissingError: [new client.AccountMissingError()],
  AccountCannotSignPrivatelyError: [
    new client.AccountCannotSignPrivatelyError({ address, type: 'json-rpc' }),
  ],
  MarkerSenderError: [new client.MarkerSenderError({ sender: address, markerSender: undefined })],
  NodeAccountNeededError: [new client.NodeAccountNeededError({ address, method: 'eth_sendTransaction' })],
  InvalidCoinMessageError: [new client.InvalidCoinMessageError({ field: 'nonce', problem: 'is too large' })],
  InvalidPrivacyError: [new client.InvalidPrivacyError({ field: 'privateFor', problem: 'is empty' })],
  UnexpectedTransactionError: [
    new client.UnexpectedTransactionError({ field: 'to', wanted: '0x1', filled: '0x2' }),
  ],
  UnexpectedReceiptError: [new client.UnexpectedReceiptError({ hash, found: '0x12' })],
  WaitForPrivateReceiptTimeoutError: [undefined, foreign, rejected(new Error('low'))].map(
    (cause) => new client.WaitForPrivateReceiptTimeoutError({ hash, cause }),
  ),
  UnsupportedBySignerError: [new client.UnsupportedBySignerError({ field: 'mandatoryFor' })],
  TetradRequestError: [rejected(new Error('low')), rejected(foreign)],
  UnexpectedServiceError: (['wallet', 'rollup-operator'] as const).map(
    (service) => new client.UnexpectedServiceError({ url: 'http://127.0.0.1:1', service }),
  ),
};

const sources = readdirSync(errors).map((name) => readFileSync(join(errors, name), 'utf8'));
const classes = sources.flatMap((text) =>
  [...text.matchAll(/^export class (\w+)/gm)].map(([, name = '']) => name),
);

describe('links of errors', () => {
  it('are known of every class of an error', () => {
    expect(Object.keys(samples).sort()).toEqual(classes.sort());
  });

  it.each(Object.entries(samples).flatMap(([name, all]) => all.map((error) => [name, error] as const)))(
    'of %s lead to a heading that exists',
    (name, error) => {
      expect(error.name).toBe(name);
      const [, page = '', heading = ''] = /^Docs: ([^#\n]+)#(\S+)$/m.exec(error.message) ?? [];
      expect(page).toBe(error.docsPath);
      expect(fragmentsOf(join(root, page))).toContain(heading);
    },
  );

  it('leave the cause of an error where viem looks for it', () => {
    const [, withForeign] = samples['WaitForPrivateReceiptTimeoutError'] as readonly BaseError[];
    expect(withForeign?.walk()).toBe(foreign);
    expect(Object.keys(withForeign as BaseError)).not.toContain('cause');
    expect(rejected(new Error('low')).details).toBe('low');
  });

  it('have the page of reasons, which names each reason of the types', () => {
    const types = readFileSync(join(root, 'libs/client/src/wire/methods.ts'), 'utf8');
    const [, union = ''] = /^export type ErrorReason =([^;]+);/m.exec(types) ?? [];
    const reasons = [...union.matchAll(/'(\w+)'/g)].map(([, reason]) => `| \`${reason}\` `);
    const page = readFileSync(join(root, rejected(foreign).docsPath as string), 'utf8');
    expect(reasons.length).toBeGreaterThan(100);
    expect(reasons.filter((row) => !page.includes(row))).toEqual([]);
  });
});
