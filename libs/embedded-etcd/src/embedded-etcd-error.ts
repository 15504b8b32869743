import { OperatorError } from '@tetrad/types';

/** An etcd cluster could not be started or did not answer; the message is one line for people. */
export class EmbeddedEtcdError extends OperatorError {
  override readonly name: string = 'EmbeddedEtcdError';
  override readonly code: string = 'EMBEDDED_ETCD';

  constructor(problem: string) {
    super(`embedded etcd: ${problem}`);
  }
}
