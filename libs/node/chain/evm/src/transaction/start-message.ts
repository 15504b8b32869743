import type { AccessListEntry } from '@tetrad/types';
import { Code, EMPTY_CODE } from '../code/code.js';
import { rulesOf } from '../forks/rules-of.js';
import { enterCall } from '../interpreter/call-message.js';
import { enterCreation } from '../interpreter/create-message.js';
import { addressOfCreation } from '../interpreter/created-address.js';
import { Evm } from '../interpreter/evm.js';
import type { Signal } from '../interpreter/signal.js';
import { delegationOf } from '../opcodes/delegation.js';
import { wordFromAddress, wordFromHash, type Word } from '../word/word.js';
import type { Account } from '../world/account.js';
import type { World } from '../world/world.js';
import type { ExecutionContext } from './execution-context.js';
import type { Participants } from './prepare.js';

/** The message that a transaction or a call from outside sends. */
export interface StartMessage extends Omit<Participants, 'feeRecipient'> {
  readonly world: World;
  readonly value: Word;
  readonly data: Uint8Array;
  /** Gas limit less the intrinsic gas. */
  readonly gas: number;
  readonly gasPrice: Word;
  readonly accessList: readonly AccessListEntry[];
  /** The sender's nonce that gives a creation its address. */
  readonly nonce: bigint;
  /** Address of the contract of a creation; replaces the address by nonce. */
  readonly created?: Word | undefined;
}

/** Creates an EVM that is ready to execute the message. */
export function startMessage(context: ExecutionContext, message: StartMessage): Evm {
  const evm = new Evm({
    rules: rulesOf(context.fork),
    block: context.block,
    journal: message.world.journal,
    precompiles: context.precompiles.of(context.fork),
    origin: message.sender.key,
    gasPrice: message.gasPrice,
    hooks: context.hooks,
    listener: context.listener,
    pace: context,
    maxCodeSize: context.maxCodeSize,
    sliceGas: context.sliceGas,
  });
  if (evm.rules.accessSets) warmUp(evm, message);
  evm.rest = () => (message.target === undefined ? create(evm, message) : call(evm, message, message.target));
  return evm;
}

/** Addresses and slots that are warm from the start: EIP-2929, EIP-2930, EIP-3651. */
function warmUp(evm: Evm, { sender, target, coinbase, accessList, world }: StartMessage): void {
  sender.warm();
  target?.warm();
  if (evm.rules.warmCoinbase) coinbase.warm();
  for (const { address, storageKeys } of accessList) {
    const account = accountOf(evm, world, wordFromAddress(address));
    if (account === undefined) continue;
    account.warm();
    for (const key of storageKeys) account.world.slot(account, wordFromHash(key))?.warm(evm.journal);
  }
}

function accountOf({ hooks }: Evm, world: World, address: Word): Account | undefined {
  return hooks?.accountOf === undefined ? world.account(address) : hooks.accountOf(address, world);
}

function call(evm: Evm, message: StartMessage, target: Account): Signal {
  const { sender, value, data, gas, world } = message;
  const own = target.world.code(target);
  const call = { kind: 'CALL', caller: sender.key, target: target.key, depth: 0 } as const;
  const rejection = evm.hooks?.rejection === undefined ? null : evm.hooks.rejection(call);
  if (own === undefined || rejection === undefined) return evm.stopForMissing();
  const pointer = evm.rules.delegatedCode ? delegationOf(own) : undefined;
  const delegate = pointer === undefined ? undefined : accountOf(evm, world, pointer);
  const code = pointer === undefined ? own : delegate?.world.code(delegate);
  if (code === undefined) return evm.stopForMissing();
  delegate?.warm();
  return enterCall(evm, {
    kind: 'CALL',
    account: target,
    target,
    code,
    caller: sender.key,
    value,
    payer: sender,
    input: data,
    gas,
    parent: undefined,
    outputAt: 0,
    outputSize: 0,
    rejection,
  });
}

function create(evm: Evm, message: StartMessage): Signal {
  const { sender, value, data, gas, world, nonce } = message;
  const address = message.created ?? addressOfCreation(sender.key, nonce);
  const account = world.account(address);
  const call = { kind: 'CREATE', caller: sender.key, target: address, depth: 0 } as const;
  const rejection = evm.hooks?.rejection === undefined ? null : evm.hooks.rejection(call);
  if (account === undefined || rejection === undefined) return evm.stopForMissing();
  return enterCreation(evm, {
    kind: 'CREATE',
    creator: sender,
    account,
    world: account.world,
    value,
    gas,
    parent: undefined,
    code: data.length === 0 ? EMPTY_CODE : new Code(data),
    rejection,
  });
}
