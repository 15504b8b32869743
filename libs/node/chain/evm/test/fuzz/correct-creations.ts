import type { EVM } from '@ethereumjs/evm';

/** First byte of code that must not be deployed (EIP-3541). */
const FORMAT = 0xef;

type Run = Awaited<ReturnType<EVM['runInterpreter']>>;

/** Private members of EthereumJS' EVM that a creation goes through. */
interface Creating {
  runInterpreter(message: { isCreate?: boolean }, options: unknown): Promise<Run>;
  _executeCreate(message: unknown): Promise<{ execResult: Run }>;
}

/**
 * Lets EthereumJS 10.1 return the gas of a reverted creation regardless of its return data.
 *
 * It looks for the byte 0xEF in what a creation returned even where that has failed, and takes all gas then. EIP-3541 is about code
 * that would be deployed; geth asks only after a creation without an error (`core/vm/evm.go`).
 */
export function correctCreations(evm: EVM): void {
  const creating = evm as unknown as Creating;
  const [run, create] = [creating.runInterpreter.bind(evm), creating._executeCreate.bind(evm)];
  const hidden = new WeakMap<object, Uint8Array>();
  creating.runInterpreter = async (message, options) => {
    const result = await run(message, options);
    const { exceptionError, returnValue } = result;
    if (exceptionError === undefined || returnValue[0] !== FORMAT) return result;
    hidden.set(exceptionError, returnValue);
    return { ...result, returnValue: new Uint8Array(returnValue.length) };
  };
  creating._executeCreate = async (message) => {
    const created = await create(message);
    const returnValue = hidden.get(created.execResult.exceptionError ?? {});
    return returnValue === undefined
      ? created
      : { ...created, execResult: { ...created.execResult, returnValue } };
  };
}
