import { RollupCodec, publishedBatch, stateProofValues } from '@tetrad/rollup-chain';
import {
  ciphertextWords,
  claimHash,
  encodeWord,
  encrypt,
  operationHash,
  operationPlaintext,
  totalIndex,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import {
  proveAccount,
  proveBalance,
  proveOrder,
  type Account,
  type Batch,
  type MemoryState,
} from '@tetrad/rollup-state';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { jointKeyOf } from '../keys/rollup-keys.js';
import { PAYMENT, type ExecutedVectors } from './executed-vectors.js';
import { HOLDERS, SIGNED, operatorKey, signatureOf } from './signed-vectors.js';

const SUBMITTER = parseAddress('0x00000000000000000000000000000000000000aa');
const RECIPIENT = parseAddress('0x00000000000000000000000000000000000000bb');
const TRANSFERRED = 1_000n;
const FACTOR = 504n;
const TOTAL_INDEX = totalIndex(PAYMENT.batchHeight, PAYMENT.index);

/**
 * What the contract publishes of the operations, and what the holders can send to it afterwards.
 *
 * @param paid - the open order
 */
export async function exitVectors({ state, batches }: ExecutedVectors, paid: MoneyOrder): Promise<unknown> {
  const codec = new RollupCodec();
  const [alice, bob] = [1, 2].map((id) => new Exit(codec, state, id)) as [Exit, Exit];
  return {
    events: batches.map((batch) => eventOf(codec, batch)),
    calls: [
      alice.transferRequest(),
      bob.redemptionRequest(paid),
      alice.claim(),
      alice.balances(),
      bob.claim(),
      bob.balances(),
      bob.orders(paid),
    ],
  };
}

/** The log of an accepted batch, and the root that it leads to. */
function eventOf(codec: RollupCodec, { publicInputs, ciphertexts }: Batch): unknown {
  const { height, nextStateRoot } = publicInputs;
  const call = codec.encodeSubmitBatch(publishedBatch(publicInputs, ciphertexts), new Uint8Array());
  const [batch] = codec.abi.decodeFunctionData('submitBatch', call);
  const values = [height, nextStateRoot, SUBMITTER, batch];
  const { topics, data } = codec.abi.encodeEventLog('TransactionBatchAccepted', values);
  return { height, stateRoot: word(nextStateRoot), topics, data };
}

/** Calls of one holder, for the last state. */
class Exit {
  private readonly account: Account;

  constructor(
    private readonly codec: RollupCodec,
    private readonly state: MemoryState,
    private readonly id: number,
  ) {
    this.account = state.account(id) as Account;
  }

  transferRequest(): unknown {
    const [tokenId, amount, recipient] = [0, TRANSFERRED, RECIPIENT];
    const transfer = { fromAccountId: this.id, toEthereumAddress: recipient, tokenId, amount };
    const signed = this.signed(
      operationHash(SIGNED.domain, { kind: 'outboundTransfer', ...transfer, nonce: this.nonce }),
    );
    const { signature } = signed;
    const proofs = { account: this.proof, balance: proveBalance(this.account, tokenId) };
    const tuple = stateProofValues.transfer({ ...proofs, amount, recipient, signature });
    return this.call('requestTransfer', [this.height, tuple], {
      ...signed.shown,
      tokenId,
      amount: Number(amount),
      recipient,
    });
  }

  redemptionRequest(order: MoneyOrder): unknown {
    const { keys, nonce } = this;
    const fields = { kind: 'redeemMoneyOrder', order, totalIndex: TOTAL_INDEX, nonce } as const;
    const ciphertext = encrypt(operationPlaintext(fields), jointKeyOf(keys, operatorKey), FACTOR);
    const { signature, shown } = this.signed(operationHash(SIGNED.domain, { ...fields, ciphertext }));
    const tuple = stateProofValues.redemption({
      account: this.proof,
      balance: proveBalance(this.account, order.tokenId),
      order: proveOrder(this.state, { order, totalIndex: TOTAL_INDEX }),
      text: ciphertextWords(ciphertext),
      signature,
    });
    return this.call('requestRedemption', [this.height, tuple], {
      ...shown,
      randomizationFactor: word(FACTOR),
      totalIndex: TOTAL_INDEX,
    });
  }

  claim(): unknown {
    const recipient = RECIPIENT;
    const { signature, shown } = this.signed(claimHash(SIGNED.domain, { accountId: this.id, recipient }));
    const tuple = stateProofValues.claim({ account: this.proof, recipient, signature });
    return this.call('claimAccount', [tuple], { ...shown, recipient });
  }

  balances(): unknown {
    const tokenIds = [...this.account.balances.keys()];
    const tuples = tokenIds.map((tokenId) => stateProofValues.balance(proveBalance(this.account, tokenId)));
    return this.call('withdrawBalances', [this.id, tuples], { tokenIds });
  }

  orders(order: MoneyOrder): unknown {
    const tuple = stateProofValues.order(proveOrder(this.state, { order, totalIndex: TOTAL_INDEX }));
    return this.call('withdrawOrders', [this.id, [tuple]], { totalIndexes: [TOTAL_INDEX] });
  }

  /** Of the next operation. */
  private get nonce(): number {
    return this.account.nonce + 1;
  }

  private get height(): number {
    return this.state.next.height - 1;
  }

  private get keys() {
    return HOLDERS[this.id - 1] as (typeof HOLDERS)[number];
  }

  private get proof() {
    return proveAccount(this.state, this.account);
  }

  private signed(message: bigint) {
    const signingNonce = 2_000n + BigInt(this.id);
    const signature = signatureOf(this.keys, message, signingNonce);
    return { signature, shown: { message: word(message), signingNonce: word(signingNonce) } };
  }

  private call(name: string, values: readonly unknown[], shown: Readonly<Record<string, unknown>>): unknown {
    return { function: name, signer: this.id - 1, ...shown, data: this.codec.encodeCall(name, values) };
  }
}

const word = (value: bigint) => hexFromBytes(encodeWord(value));
