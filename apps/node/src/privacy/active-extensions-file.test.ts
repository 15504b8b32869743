import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ActiveExtension } from '@tetrad/node-store';
import { parseAddress, parsePtmKey, type Logger } from '@tetrad/types';
import { ACTIVE_EXTENSIONS_FILE, ActiveExtensionsFile } from './active-extensions-file.js';

const CONTRACT = parseAddress('0x1932c48b2bf8102ba33b4a6b545c32236e342f34');
const KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');

const rowOf = (digit: string): ActiveExtension => ({
  management: parseAddress(`0x${digit.repeat(40)}`),
  contract: CONTRACT,
  recipientKey: KEY,
  initiator: parseAddress(`0x${'a'.repeat(40)}`),
  recipient: parseAddress(`0x${'b'.repeat(40)}`),
  creation: Buffer.alloc(64, 1),
  isInitiator: true,
  isRecipient: false,
  isApproved: false,
});

let folder: string;
let rows: ActiveExtension[];
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-extensions-'));
  [rows, warnings] = [[], []];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function follow(blocks: readonly ActiveExtension[][], into = folder): Promise<ActiveExtensionsFile> {
  const logger = { warn: (message: string) => void warnings.push(message) } as unknown as Logger;
  const store = { listKnownExtensions: async () => rows };
  const file = new ActiveExtensionsFile({ folder: into, store, logger });
  for (const block of blocks) {
    rows = block;
    file.wake();
    await file.stop();
  }
  return file;
}

const path = () => join(folder, ACTIVE_EXTENSIONS_FILE);

it('has the form that GoQuorum writes, in the order of addresses', async () => {
  await follow([[rowOf('2'), rowOf('1')]]);
  const text = readFileSync(path(), 'utf8');
  const { psiContracts } = JSON.parse(text) as { psiContracts: { private: object } };
  expect(Object.keys(psiContracts.private)).toEqual([`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]);
  expect(text).toContain(
    `"0x${'2'.repeat(40)}":{"contractExtended":"${CONTRACT}","initiator":"0x${'a'.repeat(40)}",` +
      `"recipient":"0x${'b'.repeat(40)}","managementContractAddress":"0x${'2'.repeat(40)}",` +
      `"recipientPtmKey":"${KEY}","creationData":"${'AQEB'.repeat(21)}AQ=="}`,
  );
});

it('is created with the first extension, and is empty after the last', async () => {
  await follow([[]]);
  expect(existsSync(path())).toBe(false);
  await follow([[rowOf('1')], []]);
  expect(readFileSync(path(), 'utf8')).toBe('{"psiContracts":{"private":{}}}');
});

it('is corrected at the start, when a crash came between the block and the file', async () => {
  await follow([[rowOf('1')]]);
  await follow([[]]);
  expect(readFileSync(path(), 'utf8')).toBe('{"psiContracts":{"private":{}}}');
});

it('does not stop the node where it cannot be written, and is warned of once', async () => {
  await follow([[rowOf('1')], [rowOf('2')]], join(folder, 'missing'));
  expect(warnings).toEqual(['the list of active extensions cannot be written']);
});
