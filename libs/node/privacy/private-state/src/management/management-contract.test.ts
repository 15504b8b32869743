import { describe, expect, it } from '@jest/globals';
import { loadArtifact } from '@tetrad/compilers';
import { hashFromBytes, hexFromBytes, parseAddress, parseHash, bytesFromHex, type Log } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import {
  loadManagementCode,
  managementCreation,
  managementReads,
  managementWrites,
  readAnswer,
  readManagementEvent,
} from '../index.js';
import { MANAGEMENT_SELECTORS } from './management-calls.js';
import { MANAGEMENT_TOPICS } from './management-events.js';

/** Source: docs/spec/contract-extension.md#management-contract */
const FUNCTIONS = {
  'checkIfExtensionFinished()': '0x1962cb9b',
  'checkIfVoted()': '0xcb2805ec',
  'contractToExtend()': '0x15e56a6a',
  'creator()': '0x02d05d3f',
  'doVote(bool,string)': '0xde5828cb',
  'finish()': '0xd56b2889',
  'haveAllNodesVoted()': '0xf57077d8',
  'isFinished()': '0x7b352962',
  'setSharedStateHash(string)': '0x893971ba',
  'setUuid(string)': '0x821e93da',
  'sharedDataHash()': '0x88f520a0',
  'targetRecipientPTMKey()': '0xe5af0f30',
  'totalNumberOfVoters()': '0x38527727',
  'updatePartyMembers()': '0xac8b9205',
  'voteOutcome()': '0xb5da45bb',
  'votes(address)': '0xd8bff5a5',
  'walletAddressesToVote(uint256)': '0x79d41b8f',
};
const EVENTS = {
  'NewContractExtensionContractCreated(address,string,address)':
    '0x04576ede6057794ada68966eebc285c98a2726cbc4929ffd1ad9900336728d93',
  'NewVote(bool,address)': '0x225708d30006b0cc86d855ab91047edb5fe9c2e416412f36c18c6e90fe4e461f',
  'AllNodesHaveAccepted(bool)': '0xf20540914db019dd7c8d05ed165316a58d1583642772ac46f3d0c29b8644bd36',
  'CanPerformStateShare()': '0xfd46cafaa71d87561071b8095703a7f081265fad232945049f5cf2d2c39b3d28',
  'StateShared(address,string,string)': '0x67a92539f3cbd7c5a9b36c23c0e2beceb27d2e1b3cd8eda02c623689267ae71e',
  'UpdateMembers(address,string)': '0x8adc4573f947f9930560525736f61b116be55049125cb63a36887a40f92f3b44',
  'ExtensionFinished()': '0x79c47b570b18a8a814b785800e5fcbf104e067663589cef1bba07756e3c6ede9',
};
const CONTRACT = parseAddress('0x00000000000000000000000000000000000000c1');
const RECIPIENT = parseAddress('0x00000000000000000000000000000000000000f2');
const KEY = 'BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=';
const HASH = Buffer.alloc(64, 7).toString('base64');
const UUID = `0x${'ab'.repeat(64)}`;

const { abi } = await loadArtifact('libs/node/privacy/private-state', 'ExtensionManagement');
const compiled = new Interface(JSON.stringify(abi));

/** An event encoded by ethers, as a log of the contract. */
function logOf(event: string, ...values: readonly unknown[]): Log {
  const { topics, data } = compiled.encodeEventLog(event, values);
  return { address: CONTRACT, topics: topics.map(parseHash), data: bytesFromHex(data as `0x${string}`) };
}

describe('the management contract', () => {
  it('has the functions and events of the contracts of existing networks, and no others', () => {
    const functions = compiled.fragments.filter(({ type }) => type === 'function');
    expect(functions.map((one) => one.format('sighash')).sort()).toEqual(Object.keys(FUNCTIONS).sort());
    for (const [name, selector] of Object.entries(FUNCTIONS))
      expect([name, compiled.getFunction(name)?.selector]).toEqual([name, selector]);
    for (const [name, topic] of Object.entries(EVENTS)) {
      const event = compiled.getEvent(name);
      expect([name, event?.topicHash]).toEqual([name, topic]);
      expect(event?.inputs.every(({ indexed }) => indexed === false)).toBe(true);
    }
  });

  it('is called by the selectors of its interface', () => {
    for (const [name, selector] of Object.entries(MANAGEMENT_SELECTORS))
      expect([name, compiled.getFunction(name)?.selector]).toEqual([name, selector]);
    const hex = (data: Uint8Array) => hexFromBytes(data);
    expect(hex(managementWrites.vote(true, UUID))).toBe(compiled.encodeFunctionData('doVote', [true, UUID]));
    expect(hex(managementWrites.vote(false, ''))).toBe(compiled.encodeFunctionData('doVote', [false, '']));
    expect(hex(managementWrites.shareState(HASH))).toBe(
      compiled.encodeFunctionData('setSharedStateHash', [HASH]),
    );
    expect(hex(managementReads.voter(1))).toBe(compiled.encodeFunctionData('walletAddressesToVote', [1]));
  });

  it('is created with what it extends, by the code of the build', async () => {
    const code = await loadManagementCode();
    const creation = managementCreation(code, {
      contract: CONTRACT,
      recipient: RECIPIENT,
      recipientKey: KEY,
    });
    const given = compiled.encodeDeploy([CONTRACT, RECIPIENT, KEY]);
    expect(hexFromBytes(creation.subarray(code.length))).toBe(given);
  });

  it('runs on chains without opcodes newer than those of Byzantium', async () => {
    const code = await loadManagementCode();
    // Newer opcodes that solc may emit: SHL, SHR, SAR, CHAINID, SELFBALANCE, BASEFEE, PUSH0 and MCOPY.
    const newer = new Set([0x1b, 0x1c, 0x1d, 0x46, 0x47, 0x48, 0x5e, 0x5f]);
    const trailer = ((code[code.length - 2] as number) << 8) + (code[code.length - 1] as number) + 2;
    const found: number[] = [];
    for (let at = 0; at < code.length - trailer; at++) {
      const opcode = code[at] as number;
      if (newer.has(opcode)) found.push(opcode);
      if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
    }
    expect(found).toEqual([]);
  });
});

describe('events of management contracts', () => {
  it('are decoded as they were encoded', () => {
    expect(Object.values(MANAGEMENT_TOPICS).every((topic) => Object.values(EVENTS).includes(topic))).toBe(
      true,
    );
    expect(
      readManagementEvent(logOf('NewContractExtensionContractCreated', CONTRACT, KEY, RECIPIENT)),
    ).toEqual({
      kind: 'created',
      contract: CONTRACT,
      recipientKey: KEY,
      recipient: RECIPIENT,
    });
    expect(readManagementEvent(logOf('StateShared', CONTRACT, HASH, UUID))).toEqual({
      kind: 'stateShared',
      contract: CONTRACT,
      stateHash: HASH,
      uuid: UUID,
    });
    expect(readManagementEvent(logOf('CanPerformStateShare'))).toEqual({ kind: 'shareable' });
    expect(readManagementEvent(logOf('ExtensionFinished'))).toEqual({ kind: 'finished' });
    expect(readManagementEvent(logOf('NewVote', true, RECIPIENT))).toBeUndefined();
  });

  it('are rejected when they are cut, have an offset out of range, a long text or a second topic', () => {
    const log = logOf('StateShared', CONTRACT, HASH, UUID);
    for (let size = 0; size < log.data.length - 62; size += 31)
      expect(readManagementEvent({ ...log, data: log.data.subarray(0, size) })).toBeUndefined();
    for (const at of [0, 32, 40, 63, 64, 95]) {
      const data = Uint8Array.from(log.data);
      data[at] = 0xff;
      expect(readManagementEvent({ ...log, data })).toBeUndefined();
    }
    expect(readManagementEvent(logOf('StateShared', CONTRACT, 'x'.repeat(257), UUID))).toBeUndefined();
    const second = hashFromBytes(Buffer.alloc(32, 1));
    expect(readManagementEvent({ ...log, topics: [...log.topics, second] })).toBeUndefined();
  });
});

describe('answers of management contracts', () => {
  const word = (last: number) => Buffer.concat([Buffer.alloc(31), Buffer.from([last])]);

  it('are booleans and addresses, and undefined for other data', () => {
    expect([0, 1, 2].map((last) => readAnswer.boolean(word(last)))).toEqual([false, true, undefined]);
    expect(readAnswer.boolean(new Uint8Array(0))).toBeUndefined();
    expect(readAnswer.address(word(9))).toBe(`0x${'00'.repeat(19)}09`);
    expect(readAnswer.address(Buffer.alloc(32, 9))).toBeUndefined();
  });
});
