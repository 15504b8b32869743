import { RequestError } from '@tetrad/types';
import { formatCoinAddress, type CoinAddress, type CoinNetwork } from '@tetrad/wallet-key';
import { CoinMessageError } from './message/message-error.js';
import { bytesToSign } from './message/signed-bytes.js';
import { findInclusionFault } from './message/inclusion-rules.js';
import type { CoinMessage } from './message/coin-message.js';
import type { SigningPolicy } from './signing-policy.js';

/** Result of a rule for a request to sign. */
export type Checked<Fields> = Fields & { readonly rejection?: RequestError };

const NEVER_NEGATIVE = [
  ['Value', 'value'],
  ['GasLimit', 'gasLimit'],
  ['GasFeeCap', 'gasFeeCap'],
  ['GasPremium', 'gasPremium'],
] as const;

/**
 * The bytes that are signed for a message, or why it is not signed: it is another sender's, a field is out of range,
 * or a delegated sender could not have meant it (docs/adr/0016).
 */
export function checkMessage(
  message: CoinMessage,
  signer: CoinAddress,
  policy: SigningPolicy,
): Checked<{ readonly bytes: Uint8Array }> {
  const fault = findMessageFault(message, signer, policy);
  const nothing = new Uint8Array(0);
  if (fault !== undefined) return { bytes: nothing, rejection: invalidMessage(fault.message, fault.field) };
  try {
    return { bytes: bytesToSign(message, signer, policy.delegatedChainId) };
  } catch (error) {
    if (!(error instanceof CoinMessageError)) throw error;
    return { bytes: nothing, rejection: invalidMessage(error.message, error.field) };
  }
}

interface MessageRuleFault {
  readonly field: string;
  readonly message: string;
}

function findMessageFault(
  message: CoinMessage,
  signer: CoinAddress,
  policy: SigningPolicy,
): MessageRuleFault | undefined {
  if (!policy.uncheckedMessages) {
    const foreign = describeForeignSender(message, signer, policy.network);
    if (foreign !== undefined) return { field: 'From', message: foreign };
    for (const [field, key] of NEVER_NEGATIVE) {
      if (message[key] < 0n) return { field, message: `'${field}' field cannot be negative` };
    }
  }
  return policy.strictMessages ? findInclusionFault(message) : undefined;
}

/** Undefined when the message is of the address that signs it; addresses are compared as bytes. */
export function describeForeignSender(
  message: CoinMessage,
  signer: CoinAddress,
  network: CoinNetwork,
): string | undefined {
  if (message.from.equals(signer)) return undefined;
  const [from, address] = [message.from, signer].map((one) => formatCoinAddress(one, network));
  return `'From' field ${from} is not the address that signs, ${address}`;
}

function invalidMessage(message: string, field: string | undefined): RequestError {
  return new RequestError(
    'INVALID_COIN_MESSAGE',
    message,
    field === undefined ? {} : { field: `message.${field}` },
  );
}
