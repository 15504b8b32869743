import { TetradError } from '@tetrad/types';

/** Another cluster answers, or one that has lost revisions. */
export class OtherHistoryError extends TetradError {
  override readonly name = 'OtherHistoryError';
  override readonly code: string = 'ETCD_OTHER_HISTORY';
}
