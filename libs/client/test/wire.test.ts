import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BaseError, createClient, http, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  AccountMissingError,
  InvalidPrivacyError,
  TetradRequestError,
  UnexpectedTransactionError,
  UnsupportedBySignerError,
  WaitForPrivateReceiptTimeoutError,
  createTetradClient,
  extensionActions,
  permissionActions,
  privateActions,
  raftActions,
  validatorActions,
} from '../src/index.js';
import { AnsweredError, HANG_UP, startWireDouble, type WireDouble } from './wire-double.js';

const KEY = `${'A'.repeat(43)}=`;
const TO = `0x${'11'.repeat(20)}` as const;
const FROM = `0x${'22'.repeat(20)}` as const;
const HASH = `0x${'33'.repeat(32)}` as const;
const DIGEST = `0x${'44'.repeat(64)}` as const;
const local = privateKeyToAccount(`0x${'55'.repeat(32)}`);

let double: WireDouble;
beforeEach(async () => {
  double = await startWireDouble();
});
afterEach(() => double.stop());

function connect(account?: Hex) {
  const transport = http(double.url, { retryDelay: 1 });
  return createClient({ transport, pollingInterval: 5, ...(account === undefined ? {} : { account }) })
    .extend(privateActions())
    .extend(extensionActions())
    .extend(permissionActions())
    .extend(validatorActions())
    .extend(raftActions());
}

const rejection = (reason: string, message: string, field?: string) => () => {
  throw new AnsweredError({
    code: -32000,
    message,
    data: { reason, ...(field === undefined ? {} : { field }) },
  });
};
const methods = () => double.heard.map(({ method }) => method);

describe('what goes over the wire', () => {
  it('is the private transaction of an account of the node, with the flag as a number', async () => {
    const hash = await connect(FROM).sendPrivateTransaction({
      to: TO,
      data: '0x01',
      gas: 21n,
      nonce: 0,
      privateFor: [KEY],
      privacyFlag: 'mandatoryParties',
      mandatoryFor: [KEY],
      privateFrom: KEY,
      allowSubset: true,
    });
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
    const parties = { privateFor: [KEY], privateFrom: KEY, mandatoryFor: [KEY] };
    const privacy = { ...parties, privacyFlag: 2, allowSubset: true };
    expect(double.heard).toEqual([
      {
        method: 'eth_sendTransaction',
        params: [{ from: FROM, to: TO, input: '0x01', gas: '0x15', nonce: '0x0', ...privacy }],
      },
    ]);
  });

  it('is sent once when the answer to a send is lost, and asked again when that to a question is', async () => {
    const client = connect(FROM);
    double.answers.set('eth_sendTransaction', () => HANG_UP);
    await expect(client.sendPrivateTransaction({ data: '0x01', privateFor: [] })).rejects.toThrow(BaseError);
    expect(methods()).toEqual(['eth_sendTransaction']);
    let lost = 2;
    double.answers.set('raft_leader', () => (lost-- > 0 ? HANG_UP : 'ab'));
    expect(await client.getRaftLeader()).toBe('ab');
    expect(methods().filter((method) => method === 'raft_leader')).toHaveLength(3);
  });

  it('has no parameters that are left out', async () => {
    const client = connect();
    await client.getValidators();
    await client.getSealingActivity({ fromBlock: 1n });
    await client.explain({ subject: 'account', id: FROM });
    expect(double.heard.map(({ params }) => params)).toEqual([[], [1], ['account', FROM, null]]);
  });

  it('is read into records', async () => {
    const client = connect();
    expect(await client.getRaftCluster()).toMatchObject([{ raftId: 1, hostName: '127.0.0.1' }]);
    expect((await client.getRaftCluster())[0]).not.toHaveProperty('hostname');
    expect(await client.acctList()).toMatchObject([{ status: 'active' }]);
    double.answers.set('chainPermission_getOrgDetails', () => ({
      acctList: null,
      nodeList: null,
      roleList: null,
      subOrgList: null,
    }));
    expect(await client.getOrgDetails({ orgId: 'A' })).toEqual({
      acctList: [],
      nodeList: [],
      roleList: [],
      subOrgList: [],
    });
    double.answers.set('ibft_getSignersFromBlock', () => ({
      Number: 1,
      Hash: HASH,
      Author: FROM,
      Committers: null,
    }));
    expect(await client.getBlockSigners()).toEqual({ number: 1, hash: HASH, author: FROM, committers: [] });
    double.answers.set('eth_getContractPrivacyMetadata', () => ({
      creationTxHash: Buffer.from('44'.repeat(64), 'hex').toString('base64'),
      privacyFlag: 3,
    }));
    expect(await client.getContractPrivacy({ address: TO })).toEqual({
      creationPayloadHash: DIGEST,
      privacyFlag: 'stateValidation',
      mandatoryFor: [],
    });
    double.answers.set('ibft_propose', () => null);
    expect(await client.proposeValidator({ address: TO, vote: true })).toBeUndefined();
    expect(await client.promoteRaftLearner({ raftId: 4 })).toBe(true);
    expect(double.heard.at(-1)).toEqual({ method: 'raft_promoteToPeer', params: ['4'] });
  });
});

describe('errors', () => {
  it('have the reason, the field, a link and the cause', async () => {
    double.answers.set(
      'eth_sendTransaction',
      rejection('NONCE_TOO_LOW', 'nonce too low', 'transaction.nonce'),
    );
    const error: unknown = await connect(FROM)
      .sendPrivateTransaction({ data: '0x01', privateFor: [] })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TetradRequestError);
    expect(error).toMatchObject({
      name: 'TetradRequestError',
      reason: 'NONCE_TOO_LOW',
      field: 'transaction.nonce',
      code: -32000,
      method: 'eth_sendTransaction',
      shortMessage: '"eth_sendTransaction" was rejected: nonce too low.',
      metaMessages: ['Reason: NONCE_TOO_LOW', 'Field:  transaction.nonce'],
    });
    expect((error as BaseError).message).toContain('docs/reference/errors.md#reasons');
    expect((error as BaseError).walk((one) => (one as { code?: number }).code === -32000)).toBeDefined();
  });

  it('name what is wrong before anything is sent', async () => {
    const send = connect(FROM).sendPrivateTransaction;
    await expect(send({ data: '0x', privateFor: ['not a key'] })).rejects.toThrow(InvalidPrivacyError);
    await expect(send({ data: '0x', privateFor: [], privacyFlag: 4 as 3 })).rejects.toThrow('privacyFlag');
    await expect(send({ data: '0x' } as never)).rejects.toThrow('privateFor is missing');
    const signed = { data: '0x', privateFor: [], through: 'signer' } as const;
    await expect(send({ ...signed, privacyFlag: 1 })).rejects.toThrow(UnsupportedBySignerError);
    await expect(send(signed)).rejects.toThrow('privateFrom');
    const without = connect().sendPrivateTransaction({ data: '0x', privateFor: [] });
    await expect(without).rejects.toThrow(AccountMissingError);
    expect(double.heard).toEqual([]);
  });

  it.each([
    ['recipient', { to: FROM }],
    ['value', { value: '0x1' }],
    ['data', { input: '0x1234' }],
    ['gas', { gas: '0xffff' }],
    ['nonce', { nonce: '0x7' }],
  ])('stop a local key from signing another %s than was asked for', async (_what, change) => {
    const tx = { nonce: '0x0', gasPrice: '0x0', gas: '0x15', value: '0x0', input: DIGEST, to: TO };
    double.answers.set('eth_fillTransaction', () => ({ raw: '0x', tx: { ...tx, ...change } }));
    const call = { account: local, to: TO, data: '0x01', gas: 21n, nonce: 0, privateFor: [] } as const;
    await expect(connect().sendPrivateTransaction(call)).rejects.toThrow(UnexpectedTransactionError);
    expect(methods()).toEqual(['eth_fillTransaction']);
  });
});

describe('the wait for a private receipt', () => {
  const unavailable = rejection('PRIVATE_STATE_NOT_AVAILABLE', 'private state is not available');

  it('goes on while private state is not there', async () => {
    let times = 3;
    const example = { from: FROM, to: null, contractAddress: TO, status: '0x1', logs: [], logsBloom: '0x' };
    const place = { blockHash: HASH, blockNumber: '0x10', transactionHash: HASH, transactionIndex: '0x0' };
    double.answers.set('eth_getTransactionReceipt', () =>
      times-- > 0 ? unavailable() : { ...example, ...place, cumulativeGasUsed: '0x0', gasUsed: '0x0' },
    );
    double.answers.set('eth_getTransactionByHash', () => ({ v: '0x25', input: DIGEST }));
    expect(await connect().waitForPrivateReceipt({ hash: HASH })).toMatchObject({
      status: 'success',
      isParty: true,
      contractAddress: TO,
      blockNumber: 16n,
      outcomes: [],
    });
    expect(methods().filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(4);
  });

  it('says what is missing when it ends', async () => {
    double.answers.set('eth_getTransactionReceipt', unavailable);
    const waiting = connect().waitForPrivateReceipt({ hash: HASH, timeout: 30 });
    await expect(waiting).rejects.toThrow(WaitForPrivateReceiptTimeoutError);
    await expect(waiting).rejects.toThrow('does not have its private state');
  });
});

describe('a client that detects what is served', () => {
  it('finds a signer, and sends through it what its keys sign', async () => {
    const refused = () => {
      throw new AnsweredError({ code: -32602, message: 'Invalid params' });
    };
    double.answers.set('eea_sendTransaction', (params) => (params.length === 0 ? refused() : HASH));
    double.answers.set('raft_role', rejection('RAFT_NOT_AVAILABLE', 'no raft'));
    const client = await createTetradClient({ url: double.url, account: FROM });
    expect(client.served).toMatchObject({ service: 'signer', consensus: 'bft', hasPrivacy: true });
    await client.sendPrivateTransaction({ to: TO, data: '0x01', privateFrom: KEY, privateFor: [KEY] });
    expect(double.heard.at(-1)).toEqual({
      method: 'eea_sendTransaction',
      params: [
        { from: FROM, to: TO, data: '0x01', privateFrom: KEY, privateFor: [KEY], restriction: 'restricted' },
      ],
    });
  });

  it('finds a node of a raft cluster without privacy', async () => {
    double.answers.set('ibft_nodeAddress', rejection('CONSENSUS_NOT_AVAILABLE', 'ordered by raft'));
    double.answers.set('eth_getChainPayload', rejection('PRIVACY_NOT_AVAILABLE', 'no manager'));
    const permissions = rejection('PERMISSIONING_NOT_ENABLED', 'not enabled');
    double.answers.set('chainPermission_transactionAllowed', permissions);
    const { served } = await createTetradClient({ url: double.url });
    expect(served).toMatchObject({
      service: 'node',
      consensus: 'raft',
      hasPrivacy: false,
      hasPermissions: false,
    });
  });

  it('fails when there is no service', async () => {
    await double.stop();
    await expect(createTetradClient({ url: double.url })).rejects.toThrow('HTTP request failed');
    double = await startWireDouble();
  });
});
