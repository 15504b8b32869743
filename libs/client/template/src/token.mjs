import { readFileSync } from 'node:fs';

const { abi, bytecode } = JSON.parse(
  readFileSync(new URL('../build/PrivateToken.json', import.meta.url), 'utf8'),
);

/** A private token: its contract, and the members who are its parties. */
export class PrivateToken {
  constructor(address, parties) {
    this.address = address;
    this.parties = parties;
  }

  /** Creates a token whose first party has the whole supply. */
  static async deploy({ name, symbol, supply, parties }) {
    const [issuer] = parties;
    const hash = await issuer.client.deployPrivateContract({
      abi,
      bytecode,
      args: [name, symbol, supply],
      ...privacyOf(issuer, parties),
    });
    const { contractAddress } = await settled(issuer, parties, hash);
    return new PrivateToken(contractAddress, parties);
  }

  /** Sends tokens, and waits until all parties have them. */
  async transfer({ from, to, value }) {
    const hash = await from.client.writePrivateContract({
      address: this.address,
      abi,
      functionName: 'transfer',
      args: [to.account, value],
      ...privacyOf(from, this.parties),
    });
    return settled(from, this.parties, hash);
  }

  /** What an account has, as the node of a member sees it. */
  balanceOf(owner, { seenBy = owner } = {}) {
    return seenBy.client.readContract({
      address: this.address,
      abi,
      functionName: 'balanceOf',
      args: [owner.account],
    });
  }

  /** Whether a member's node has the contract. */
  async isKnownTo(member) {
    return (await member.client.getCode({ address: this.address })) !== undefined;
  }
}

/** All parties take part in every transaction, and refuse one that leads to different balances. */
function privacyOf(sender, parties) {
  const others = parties.filter((party) => party !== sender);
  return { privateFor: others.map(({ ptmKey }) => ptmKey), privacyFlag: 'stateValidation' };
}

async function settled(sender, parties, hash) {
  const others = parties.filter((party) => party !== sender).map(({ client }) => client);
  const receipt = await sender.client.waitForPrivateReceipt({ hash, abi, parties: others });
  if (receipt.revertError !== undefined) throw receipt.revertError;
  if (receipt.status !== 'success' || receipt.isAgreed === false)
    throw new Error(`the parties do not agree on the transaction ${hash}`);
  return receipt;
}
