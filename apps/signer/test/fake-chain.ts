import { Transaction } from 'ethers/transaction';
import { errorOf, resultOf, type FakeBehaviour } from './fake-node.js';

/** The pool of a chain that accepts every transaction once, with geth's messages, and mines on demand. */
export class FakeChain {
  /** Nonce → hash of the transaction that has it. */
  readonly taken = new Map<number, string>();
  /** Nonces below it are in blocks. */
  private minedCount = 0;

  /** Answers as an Ethereum client would. */
  readonly behaviour: FakeBehaviour = (request) => {
    const { method, params } = request.rpc;
    switch (method) {
      case 'eth_chainId':
        return resultOf(request, '0x9');
      case 'eth_getTransactionCount':
        return resultOf(
          request,
          `0x${(params?.[1] === 'latest' ? this.minedCount : this.pendingCount()).toString(16)}`,
        );
      case 'eth_getTransactionByHash':
        return resultOf(request, [...this.taken.values()].includes(params?.[0] as string) ? {} : null);
      case 'eth_sendRawTransaction': {
        const answer = this.take(params?.[0] as string);
        return answer.startsWith('0x') ? resultOf(request, answer) : errorOf(request, -32000, answer);
      }
      default:
        return errorOf(request, -32601, 'Method not found');
    }
  };

  /** How many nonces follow each other from 0. */
  pendingCount(): number {
    let count = 0;
    while (this.taken.has(count)) count += 1;
    return count;
  }

  /** Puts what is in the pool into a block. */
  mine(): void {
    this.minedCount = this.pendingCount();
  }

  private take(raw: string): string {
    const { nonce, hash } = Transaction.from(raw);
    if (nonce < this.minedCount) return 'nonce too low';
    const known = this.taken.get(nonce);
    if (known === hash) return 'already known';
    if (known !== undefined) return 'replacement transaction underpriced';
    this.taken.set(nonce, hash ?? '');
    return hash ?? '';
  }
}
