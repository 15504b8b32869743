export { readBounded } from './bounded-file.js';
export { describeFileError, onFile } from './file-error.js';
export { makeDataFolder } from './data-folder.js';
export { FolderInUseError, takeFolderLock, type FolderLock } from './folder-lock.js';
export { makeFolder } from './make-folder.js';
export { othersWhoRead } from './others-who-read.js';
export { FileError, readSmallFile, readSmallText } from './read-small-file.js';
export { writeNewWhole, writeWhole } from './whole-file.js';
