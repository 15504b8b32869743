import { RequestError } from '@tetrad/types';
import type { SimulatedOutcome, SimulationOptions } from './simulated-block.js';

/** Bytes of a log in an answer besides its data and topics. */
const LOG_BYTES = 500;

/** Gas of a transfer. */
const LEAST_GAS = 21_000n;

/** Gas and bytes that a simulation may still use. */
export class SimulationMeter {
  private bytesLeft: number;
  private gas: bigint;

  constructor(private readonly options: Pick<SimulationOptions, 'gasCap' | 'maxBytes'>) {
    this.bytesLeft = options.maxBytes;
    this.gas = options.gasCap;
  }

  /** @throws RequestError SIMULATION_LIMIT_EXCEEDED when not even a transfer could run */
  assertGasLeft(): void {
    if (this.gas < LEAST_GAS) throw this.tooMuchGas();
  }

  private tooMuchGas(): RequestError {
    return new RequestError(
      'SIMULATION_LIMIT_EXCEEDED',
      `the calls take more than ${this.options.gasCap} gas`,
    );
  }

  /** @throws RequestError SIMULATION_LIMIT_EXCEEDED when so many calls cannot run, even if each is a transfer */
  assertGasFor(calls: number): void {
    if (BigInt(calls) * LEAST_GAS > this.gas) throw this.tooMuchGas();
  }

  get gasLeft(): bigint {
    return this.gas;
  }

  /** @throws RequestError SIMULATION_LIMIT_EXCEEDED */
  spend({ gasUsed, returnData, logs }: SimulatedOutcome): void {
    this.gas -= gasUsed;
    this.bytesLeft -= 2 * returnData.length;
    for (const { data } of logs) this.bytesLeft -= LOG_BYTES + 2 * data.length;
    if (this.bytesLeft >= 0) return;
    throw new RequestError(
      'SIMULATION_LIMIT_EXCEEDED',
      `the answer is longer than ${this.options.maxBytes} bytes`,
    );
  }
}
