export { clientBytes } from './client-bytes.js';
export { COMMIT_LATER } from './commit-later.js';
export { openRows, type Rows, type RowsOf } from './rows.js';
export { openRowsOn } from './rows-on-connection.js';
export { columnsOf, namesOf, qualified, type SqlRow, type Table } from './table.js';
